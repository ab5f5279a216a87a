import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { furnish } from '../support/process/furnish.ts'
import { isLong } from '../support/run/long.ts'
import type { EventSource, EventSourceOptions } from '../support/webhooks/event-source.ts'
import { eventSource } from '../support/webhooks/event-source.ts'
import { openReceiver } from '../support/webhooks/receiver.ts'
import { describedWorld } from './described-world.ts'
import type { Subscriber } from './plan.ts'
import { subscriber } from './plan.ts'

const at = describedWorld()

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const bearer = (key = at.keys.write) => ({ Authorization: `Bearer ${key}` })
const streamUrl = (query = '') => `${at.url()}/webhooks/stream${query}`

/** A reader that is there: what happens from now on comes. */
async function reading(
  query = '',
  options: Partial<EventSourceOptions> = {},
): Promise<EventSource> {
  const source = eventSource(streamUrl(query), { headers: bearer(), ...options })
  closing.push(source.close)
  await expect.poll(() => [source.status, source.lastEventId !== null]).toEqual([200, true])
  return source
}

/** How a server is ended under a reader that comes back. */
const signals = isLong ? (['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) : (['SIGKILL'] as const)

/** Manual credits: each is told as one fact. Answers how many there are of them now. */
async function adjust(one: Subscriber, count: number): Promise<void> {
  const { balances } = at.client().creditEntitlements
  for (let made = 0; made < count; made += 1) {
    await balances.createLedgerEntry(one.customerId, {
      credit_entitlement_id: one.creditId,
      amount: '1',
      entry_type: 'credit',
    })
  }
}

/** Ids of ledger entries that came, of one entitlement. */
const entriesIn = ({ events }: EventSource, { creditId }: Subscriber): readonly string[] =>
  events
    .map(({ data }) => (JSON.parse(data) as { data: Record<string, string> }).data)
    .filter((data) => data['credit_entitlement_id'] === creditId)
    .map((data) => data['id'] ?? '')

/** Sorted: where two processes relay, the stream's order need not be that of the ledger. */
const entriesOf = async (one: Subscriber): Promise<readonly string[]> =>
  (await one.ledger()).map(({ id }) => id).toSorted()

describe('the stream of webhooks', () => {
  it('brings what happens as it happens, without an endpoint', async () => {
    const source = await reading()
    const one = await subscriber(at)
    await adjust(one, 3)
    await expect.poll(() => entriesIn(source, one).toSorted()).toEqual(await entriesOf(one))
    expect(source.events.map(({ event }) => event)).toContain('credit.manual_adjustment')
    for (const { event, data } of source.events) {
      expect(JSON.parse(data)).toMatchObject({ type: event, business_id: at.businessId })
    }
  })

  it('brings to the byte what endpoints are sent, under the same id', async () => {
    const receiver = await openReceiver()
    const hook = await at.client().webhooks.create({ url: receiver.url })
    closing.push(receiver.close, () => at.client().webhooks.delete(hook.id))
    const source = await reading()
    const one = await subscriber(at)
    await adjust(one, 1)
    await expect.poll(() => source.events.length).toBeGreaterThanOrEqual(2)
    const heard = source.events.map(({ id, data }) => [id, data])
    const ids = new Set(heard.map(([id]) => id))
    const sent = () =>
      receiver.received.filter(({ id }) => ids.has(id)).map(({ id, body }) => [id, body])
    await expect.poll(() => sent().toSorted()).toEqual(heard.toSorted())
  })

  it('brings the kinds that were asked for, and moves on past the others', async () => {
    const source = await reading('?types=credit.added,%20credit.expired')
    const one = await subscriber(at)
    await adjust(one, 2)
    const all = await reading()
    const other = await subscriber(at)
    await expect.poll(() => entriesIn(all, other)).toHaveLength(1)
    await expect.poll(() => entriesIn(source, other)).toHaveLength(1)
    expect(new Set(source.events.map(({ event }) => event))).toEqual(new Set(['credit.added']))
    expect(entriesIn(source, one)).toHaveLength(1)
  })

  it('refuses kinds that there are not, however they are written', async () => {
    const bad = [
      '',
      'credit',
      'credit.added,',
      'credit.added,nope',
      '%0d%0aid:%201',
      '%F0%9F%98%80',
    ]
    for (const types of bad) {
      const { status, body } = await at.call(`GET /webhooks/stream?types=${types}`)
      expect([types, status, body.code]).toEqual([types, 422, 'INVALID_QUERY_PARAMS'])
    }
  })

  it('takes no place of another business, nor one that is none', async () => {
    const { keys } = await furnish(at.environment)
    const source = await reading()
    const one = await subscriber(at)
    await expect.poll(() => entriesIn(source, one)).toHaveLength(1)
    const own = source.events.at(-1)?.id ?? ''
    const theirs = eventSource(streamUrl(), { headers: bearer(keys.write) })
    closing.push(theirs.close)
    await expect.poll(() => theirs.lastEventId).not.toBe(null)
    const ask = async (id: string, key: string) => {
      const headers = { 'Last-Event-ID': id }
      const { status, body } = await at.call('GET /webhooks/stream', { headers, key })
      return [status, body.code]
    }
    expect(await ask(own, keys.write)).toEqual([410, 'LAST_EVENT_ID_IS_GONE'])
    const foreign = [theirs.lastEventId ?? '', 'msg_none', '0', '-1', '1.5', 'whs_x.0']
    for (const id of foreign) {
      expect(await ask(id, at.keys.write)).toEqual([410, 'LAST_EVENT_ID_IS_GONE'])
    }
    for (const id of ["' or 1=1", 'a b', 'x'.repeat(300), '%00']) {
      expect(await ask(id, at.keys.write)).toEqual([400, 'INVALID_REQUEST_PARAMETERS'])
    }
    expect((await at.call('GET /webhooks/stream', { key: null })).status).toBe(401)
    expect(theirs.events).toEqual([])
  })

  it('is whole for who comes back, each event once, over restarts of the server', async () => {
    const one = await subscriber(at)
    const source = await reading('', { again: () => streamUrl() })
    const going = { on: true }
    const writing = (async () => {
      while (going.on) await adjust(one, 1).catch(() => new Promise((done) => setTimeout(done, 20)))
    })()
    for (const signal of signals) {
      const seen = source.events.length
      await expect.poll(() => source.events.length).toBeGreaterThan(seen + 5)
      await at.restart(signal)
    }
    const seen = source.events.length
    await expect.poll(() => source.events.length).toBeGreaterThan(seen + 5)
    going.on = false
    await writing
    const all = await everyEntry(one)
    // All of them, but maybe the one of the subscription, which was made before.
    await expect.poll(() => entriesIn(source, one)).toEqual(expect.arrayContaining(all.slice(1)))
    expect(entriesIn(source, one).length).toBeLessThanOrEqual(all.length)
    expect(source.ends).toBeGreaterThanOrEqual(3)
    expect(new Set(source.events.map(({ id }) => id)).size).toBe(source.events.length)
  })

  it('ends when its key is revoked', async () => {
    const words = ['keys', 'create', '--business', at.businessId, '--mode', 'test', '--read-only']
    const made = await at.sluice(...words)
    const key = String(made['api_key'])
    const [source, other] = [await reading('', { headers: bearer(key) }), await reading()]
    await at.sluice('keys', 'revoke', String(made['key_id']))
    await expect.poll(() => source.ends).toBe(1)
    expect((await at.call('GET /webhooks/stream', { key })).status).toBe(401)
    expect(other.ends).toBe(0)
  })

  it('has seats for a hundred of a business, and one again where one has left', async () => {
    const sources: EventSource[] = []
    for (let count = 0; count < 1_000; count += 1) {
      const source = eventSource(streamUrl(), { headers: bearer() })
      sources.push(source)
      closing.push(source.close)
      if (count % 50 === 49) await expect.poll(() => source.status).not.toBe(null)
    }
    const of = (status: number | null) => sources.filter((one) => one.status === status)
    await expect.poll(() => of(null)).toEqual([])
    expect([of(200).length, of(429).length]).toEqual([100, 900])
    expect(JSON.parse(of(429)[0]?.body ?? '')).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    const one = await subscriber(at)
    for (const source of of(200)) await expect.poll(() => entriesIn(source, one)).toHaveLength(1)
    for (const source of sources) source.close()
    await expect.poll(async () => (await statusOnce()) === 200).toBe(true)
  }, 300_000)

  it('bears readers that come and go as fast as they can', async () => {
    const steady = await reading()
    for (let round = 0; round < 20; round += 1) {
      const storm = Array.from({ length: 50 }, () =>
        eventSource(streamUrl(), { headers: bearer(), lastEventId: steady.lastEventId ?? '' }),
      )
      await new Promise((done) => setTimeout(done, 10 * (round % 3)))
      for (const one of storm) one.close()
    }
    const one = await subscriber(at)
    await expect.poll(() => entriesIn(steady, one)).toHaveLength(1)
    await expect.poll(async () => (await statusOnce()) === 200).toBe(true)
  })

  it('lets nobody who never reads hold up another', async () => {
    const steady = await reading()
    const { port, hostname } = new URL(at.url())
    for (let count = 0; count < 20; count += 1) {
      const mute = connect({ port: Number(port), host: hostname })
      closing.push(() => mute.destroy())
      mute.on('error', () => undefined)
      mute.pause()
      mute.write(
        `GET /webhooks/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${at.keys.write}\r\n\r\n`,
      )
    }
    const one = await subscriber(at)
    await adjust(one, 20)
    await expect.poll(() => entriesIn(steady, one).toSorted()).toEqual(await entriesOf(one))
  })

  it('does not hold up a server that stops', async () => {
    const source = await reading()
    await at.restart('SIGTERM')
    await expect.poll(() => source.ends).toBe(1)
    expect(at.logged).not.toContain('did not stop in time')
  })
})

const statusOnce = async (): Promise<number> => {
  const ending = new AbortController()
  const { status } = await fetch(streamUrl(), { headers: bearer(), signal: ending.signal })
  ending.abort()
  return status
}

async function everyEntry(one: Subscriber): Promise<readonly string[]> {
  const ids: string[] = []
  for (let page = 0; ; page += 1) {
    const found = await at.client().creditEntitlements.balances.listLedger(one.customerId, {
      credit_entitlement_id: one.creditId,
      page_size: 100,
      page_number: page,
    })
    ids.push(...found.items.map(({ id }) => id))
    if (found.items.length < 100) return ids.toReversed()
  }
}
