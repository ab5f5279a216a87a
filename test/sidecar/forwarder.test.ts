import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backOff } from '../../src/sidecar/back-off.ts'
import { openDeadLetters } from '../../src/sidecar/dead-letters.ts'
import type { Forwarder } from '../../src/sidecar/forwarder.ts'
import { forwarder } from '../../src/sidecar/forwarder.ts'
import { frameOf } from '../../src/sidecar/receiving.ts'
import type { Spool } from '../../src/sidecar/spool.ts'
import type { UpstreamAnswer } from '../../src/sidecar/verdict.ts'
import { hour, instantOf, minute } from '../../src/std/instant.ts'
import { manualClock, noon } from '../support/edge/test-server.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { quiet } from '../support/runtime/logger.ts'
import { eventOf, framed, openTestSpool } from './setup.ts'

type Gateway = (
  ids: readonly string[],
) => Partial<UpstreamAnswer> | Promise<Partial<UpstreamAnswer>>

const taken = (ids: readonly string[]) => ({ text: JSON.stringify({ ingested_count: ids.length }) })
const said = (status: number, code: string, message: string): Partial<UpstreamAnswer> => ({
  status,
  text: JSON.stringify({ code, message }),
})

let scratch: ReturnType<typeof scratchDirectory>
beforeEach(() => {
  scratch = scratchDirectory()
})
afterEach(() => scratch.remove())

async function world(gateway: Gateway, options: { readonly eventsMax?: number } = {}) {
  const clock = manualClock()
  const sent: string[][] = []
  let hangUp: () => void = () => undefined
  const closed = new Promise<never>((_, reject) => {
    hangUp = () => reject(new Error('hung up'))
  })
  closed.catch(() => undefined)
  const counted = { forwarded: 0, refused: 0, retried: 0 }
  let forwarding: Forwarder | null = null
  const spool: Spool = await openTestSpool(scratch.path, { appended: () => forwarding?.nudge() })
  const deadPath = join(scratch.path, 'dead.ndjson')
  const deadLetters = await openDeadLetters(deadPath, clock)
  const upstream = {
    async send(body: string): Promise<UpstreamAnswer> {
      const ids = JSON.parse(body).events.map((event: { event_id: string }) => event.event_id)
      sent.push(ids)
      const answer = await Promise.race([gateway(ids), closed])
      return { status: 200, text: '', retryAfter: null, backfill: null, refused: null, ...answer }
    },
    close: () => hangUp(),
  }
  forwarding = forwarder({
    spool,
    upstream,
    deadLetters,
    backOff: backOff({ firstMs: 2, maxMs: 10, retryAfterMaxMs: 20, chance: () => 0.5 }),
    clock,
    logger: quiet,
    eventsMax: options.eventsMax ?? 1_000,
    lingerMs: 1,
    metrics: {
      forwarded(events) {
        counted.forwarded += events
      },
      refused(events) {
        counted.refused += events
      },
      retried() {
        counted.retried += 1
      },
    },
  })
  const { start, drain } = forwarding
  const dead = () =>
    readFileSync(deadPath, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  const close = async (withinMs = 5_000): Promise<void> => {
    await drain(withinMs)
    await spool.close()
    await deadLetters.close()
  }
  return { forwarding, spool, clock, sent, counted, dead, start, close }
}

const emptied = (spool: Spool) => expect.poll(() => spool.events, { timeout: 10_000 }).toBe(0)

describe('forwarding', () => {
  it('sends what is there in full requests, and what comes later', async () => {
    const { spool, start, sent, counted, close } = await world(taken, { eventsMax: 3 })
    await spool.append(framed(['a', 'b', 'c', 'd']))
    start()
    await emptied(spool)
    await spool.append(framed(['e']))
    await emptied(spool)
    expect(sent).toEqual([['a', 'b', 'c'], ['d'], ['e']])
    expect(counted).toEqual({ forwarded: 5, refused: 0, retried: 0 })
    await close()
  })

  it('sends the same ids until they are taken, whatever is in the way', async () => {
    const troubles: Partial<UpstreamAnswer>[] = [
      said(401, 'UNAUTHORIZED', 'The API key is revoked.'),
      said(503, 'UNAVAILABLE', 'Later.'),
      { status: 502, text: '<html>' },
      { status: 200, text: 'Welcome to our wireless network' },
      said(404, 'NOT_FOUND', 'There is no route POST /events/ingest.'),
    ]
    let tries = 0
    const { spool, start, sent, counted, dead, close } = await world((ids) => {
      tries += 1
      if (tries === 1) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })
      return troubles[tries - 2] ?? taken(ids)
    })
    await spool.append(framed(['a', 'b']))
    start()
    await emptied(spool)
    expect(sent).toEqual(Array.from({ length: 7 }, () => ['a', 'b']))
    expect(counted).toEqual({ forwarded: 2, refused: 0, retried: 6 })
    expect(dead()).toEqual([])
    await close()
  })

  it('puts what is refused for good aside with the reason, once, and the rest goes on', async () => {
    let away = true
    const { spool, start, sent, counted, dead, close } = await world((ids) => {
      const index = ids.findIndex((id) => id.startsWith('ghost'))
      if (index >= 0) return said(404, 'NOT_FOUND', `events[${index}].customer_id: no 'x'.`)
      if (!away) return taken(ids)
      away = false
      return { status: 503 }
    })
    const events = ['a', 'ghost-1', 'b', 'ghost-2'].map((id) =>
      eventOf(id, id.startsWith('ghost') ? 'nobody' : 'cus_1'),
    )
    await spool.append(frameOf(events, noon))
    start()
    await emptied(spool)
    // Both are of the customer that is not there: one answer refuses them.
    expect(sent).toEqual([
      ['a', 'ghost-1', 'b', 'ghost-2'],
      ['a', 'b'],
      ['a', 'b'],
    ])
    expect(counted).toEqual({ forwarded: 2, refused: 2, retried: 1 })
    expect(dead()).toMatchObject([
      { event: { event_id: 'ghost-1' }, reason: { status: 404, code: 'NOT_FOUND' } },
      { event: { event_id: 'ghost-2', customer_id: 'nobody' } },
    ])
    await close()
  })

  it('sends less at once where it is too much, and refuses one that is too much alone', async () => {
    const { spool, start, sent, dead, close } = await world((ids) =>
      ids.length > 2 || ids.includes('huge') ? { status: 413, text: '' } : taken(ids),
    )
    await spool.append(framed(['a', 'b', 'c', 'd', 'huge']))
    start()
    await emptied(spool)
    expect(sent.at(-1)).toEqual(['huge'])
    expect(dead()).toMatchObject([{ event: { event_id: 'huge' }, reason: { status: 413 } }])
    await close()
  })

  it('sends more at once again where that was too much for a while', async () => {
    let isSmall = true
    const { spool, start, sent, dead, close } = await world(
      (ids) => (isSmall && ids.length > 3 ? { status: 413, text: '' } : taken(ids)),
      { eventsMax: 8 },
    )
    const append = async (name: string, events: number) => {
      await spool.append(framed(Array.from({ length: events }, (_, index) => `${name}${index}`)))
      await emptied(spool)
    }
    start()
    await append('a', 8)
    expect(sent.map(({ length }) => length)).toEqual([8, 4, 2, 2, 2, 2])
    isSmall = false
    for (let index = 0; index < 40; index += 1) await append(`b${index}-`, 16)
    await append('c', 8)
    expect(sent.at(-1)).toHaveLength(8)
    expect(dead()).toEqual([])
    await close()
  })

  it('asks once for all that have waited for too long', async () => {
    const { clock, spool, start, sent, counted, dead, close } = await world((ids) => {
      const old = ids.flatMap((id, index) => (id.startsWith('old') ? [index] : []))
      if (old.length === 0) return taken(ids)
      return {
        ...said(400, 'EVENT_TIMESTAMP_OUT_OF_RANGE', `events[${old[0]}].timestamp must lie …`),
        // The last is too old for the gateway alone.
        refused: `${old[0]}-${(old.at(-1) ?? 0) + 1}`,
      }
    })
    clock.advance(2 * hour)
    const old = Array.from({ length: 500 }, (_, index) => `old-${index}`)
    await spool.append(framed(['known', ...old], instantOf(noon + 59 * minute)))
    await spool.append(framed(['new-1', 'new-2'], instantOf(noon + 61 * minute)))
    start()
    await emptied(spool)
    expect(sent.map(({ length }) => length)).toEqual([503, 3])
    expect(sent.at(-1)).toEqual(['known', 'new-1', 'new-2'])
    expect(counted).toEqual({ forwarded: 3, refused: 500, retried: 0 })
    expect(dead().map(({ event }) => event.event_id)).toEqual(old)
    await close()
  })

  it('refuses what is too old by both clocks, and keeps what only the other calls old', async () => {
    let wrong = true
    const range = said(400, 'EVENT_TIMESTAMP_OUT_OF_RANGE', 'events[0].timestamp must lie …')
    const { clock, spool, start, sent, dead, close } = await world((ids) =>
      ids[0] === 'old' || wrong ? range : taken(ids),
    )
    clock.advance(2 * hour)
    await spool.append(framed(['old'], instantOf(noon + 59 * minute)))
    await spool.append(framed(['new'], instantOf(noon + 61 * minute)))
    start()
    await expect.poll(() => sent.length, { timeout: 10_000 }).toBeGreaterThan(4)
    expect(dead()).toMatchObject([{ event: { event_id: 'old' } }])
    expect(spool.events).toBe(2)
    wrong = false
    await emptied(spool)
    expect(dead()).toHaveLength(1)
    await close()
  })

  it('learns how old events may be that the key sends', async () => {
    const { forwarding, spool, start, close } = await world((ids) => ({
      ...taken(ids),
      backfill: '7200',
    }))
    await spool.append(framed(['a']))
    start()
    await emptied(spool)
    expect(forwarding.backfill).toBe(2 * hour)
    await close()
  })

  it('leaves in the spool what nobody takes at the end', async () => {
    const { spool, start, sent, close } = await world(() => new Promise(() => undefined))
    await spool.append(framed(['a']))
    start()
    await expect.poll(() => sent.length, { timeout: 10_000 }).toBe(1)
    await close(20)
    const reopened = await openTestSpool(scratch.path)
    expect(reopened.events).toBe(1)
    await reopened.close()
  })
})

describe('backing off', () => {
  const options = { firstMs: 100, maxMs: 1_000, retryAfterMaxMs: 5_000 }

  it('waits longer each time, up to a bound, and never as long as all others', () => {
    const longest = backOff({ ...options, chance: () => 1 })
    const shortest = backOff({ ...options, chance: () => 0 })
    expect([1, 2, 3, 4, 5, 6].map(() => longest.failed(null))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ])
    expect([1, 2, 3].map(() => shortest.failed(null))).toEqual([50, 100, 200])
    longest.succeeded()
    expect(longest.failed(null)).toBe(100)
  })

  it('is never earlier than it was told', () => {
    const early = backOff({ ...options, chance: () => 0 })
    expect(early.failed(3_000)).toBe(3_000)
    expect(early.failed(60_000)).toBe(5_000)
    expect(backOff({ ...options, chance: () => 1 }).failed(3_000)).toBe(3_100)
  })
})
