import { describe, expect, it } from 'vitest'
import { relay } from '../../../src/engine/webhooks/relay.ts'
import { streamPlace } from '../../../src/operations/webhooks/stream-place.ts'
import type { StreamReader } from '../../../src/operations/webhooks/stream-tails.ts'
import { openStreamTails } from '../../../src/operations/webhooks/stream-tails.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { outbox } from '../../../src/parts/store/postgres/telling/outbox.ts'
import { webhookStreams } from '../../../src/parts/store/postgres/telling/webhook-streams.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { hour, after as later } from '../../../src/std/instant.ts'
import { noLinks } from '../../../src/wire/invoice-link.ts'
import { quiet } from '../../support/runtime/logger.ts'
import type { Books } from '../../support/store/books.ts'
import { newId, openBooks } from '../../support/store/books.ts'
import { telling } from '../../support/webhooks/telling.ts'

const suite = telling()
const clock = systemClock()

/** The stream of a new business without endpoints, and those who relay to it. */
async function stream(books?: Books) {
  const db = suite.db()
  const own = books ?? (await openBooks(db))
  const streams = webhookStreams(db)
  const ports = { streams, clock, newId }
  const place = (lastEventId: string | null = null) => streamPlace(ports, own, lastEventId)
  const ids = async (number = 0) =>
    (await streams.after(own, number, { types: null, limit: 1_000 })).map((one) => one.messageId)
  return { books: own, streams, place, ids }
}

const relayOn = (db: Db): Promise<boolean> =>
  relay({
    outbox: outbox(db),
    topic: false,
    clock,
    logger: quiet,
    linksOf: () => noLinks,
    relayed: () => undefined,
  })

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: { code?: string }) => error.code,
  )

describe('the stream of a business and mode', () => {
  it('has all that is told from its first reading on, without an endpoint, in its order', async () => {
    const { books, place, ids, streams } = await stream()
    await books.facts(2)
    await relayOn(suite.db())
    expect(await place()).toMatchObject({ number: 0 })
    const told = [...(await books.facts(3)), await books.lowBalance()]
    await relayOn(suite.db())
    expect(await ids()).toEqual(told)
    const [first] = await streams.after(books, 0, { types: null, limit: 1 })
    expect(first).toMatchObject({ number: 1, type: 'credit.deducted' })
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ type: 'credit.deducted' })
    expect(await suite.rows()).toEqual([])
  })

  it('has what endpoints are sent, with the same id and body, and no tests', async () => {
    const { books, place, streams } = await stream()
    await books.endpoint({ url: 'http://127.0.0.1:9/' })
    await place()
    const [id = ''] = await books.facts(1)
    await relayOn(suite.db())
    const [message] = await streams.after(books, 0, { types: null, limit: 9 })
    const [row] = await suite.db().query<{ body: string }>(sql`
      select body from messages where message_id = ${id}`)
    expect(message).toMatchObject({ messageId: id, body: row?.body })
    expect((await suite.rows()).map(({ message_id }) => message_id)).toEqual([id])
  })

  it('leaves out the bodies of other kinds, and counts them', async () => {
    const { books, place, streams } = await stream()
    await place()
    await books.facts(2)
    await books.lowBalance()
    await relayOn(suite.db())
    const found = await streams.after(books, 0, { types: ['credit.balance_low'], limit: 9 })
    expect(found.map(({ number, body }) => [number, body !== null])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
  })

  it('shows nothing behind what is not committed yet', async () => {
    const { books, place, ids } = await stream()
    await place()
    const early = await books.facts(2)
    let late: readonly string[] = []
    let others: Promise<boolean> | null = null
    await suite.db().transaction(async (tx) => {
      await relayOn(tx)
      late = await books.facts(2)
      others = relayOn(suite.db())
      // Time for the other one to come by, if nothing holds it up.
      await new Promise((done) => setTimeout(done, 300))
      expect(await ids()).toEqual([])
    })
    await others
    expect(await ids()).toEqual([...early, ...late])
  })

  it('has no gap and no double, whoever relays beside whom', async () => {
    const [one, two] = [await stream(), await stream()]
    for (const { place, books } of [one, two]) {
      await place()
      await books.endpoint({ url: 'http://127.0.0.1:9/' })
    }
    const told = new Set<string>()
    for (let round = 0; round < 10; round += 1) {
      for (const { books } of [one, two, one]) for (const id of await books.facts(5)) told.add(id)
      await Promise.all([1, 2, 3, 4].map(() => relayOn(suite.db())))
    }
    await relayOn(suite.db())
    const all = [await one.streams.after(one.books, 0, { types: [], limit: 1_000 })]
    all.push(await two.streams.after(two.books, 0, { types: [], limit: 1_000 }))
    for (const found of all) {
      expect(found.map(({ number }) => number)).toEqual(found.map((_, index) => index + 1))
    }
    expect(new Set(all.flat().map(({ messageId }) => messageId))).toEqual(told)
  })

  it('goes on behind the event or the place that a reader names', async () => {
    const { books, place } = await stream()
    const { streamId } = await place()
    const ids = await books.facts(3)
    await relayOn(suite.db())
    expect(await place(`${streamId}.0`)).toMatchObject({ number: 0 })
    expect(await place(ids[1])).toMatchObject({ number: 2 })
    expect(await place(`${streamId}.3`)).toMatchObject({ number: 3 })
    expect(await place()).toMatchObject({ number: 3 })
  })

  it('takes no place that is not of it, and none that it does not have', async () => {
    const [{ books, place }, other] = [await stream(), await stream()]
    const { streamId } = await place()
    const [id] = await books.facts(1)
    const theirs = await other.place()
    const [theirId] = await other.books.facts(1)
    await relayOn(suite.db())
    expect(await place(id)).toMatchObject({ number: 1 })
    for (const text of [theirId, `${theirs.streamId}.0`, `${streamId}.2`, 'msg_none', '17', '..']) {
      expect([text, await codeOf(place(text))]).toEqual([text, 'LAST_EVENT_ID_IS_GONE'])
    }
    for (const text of ['', 'a b', "'; drop", 'ä', 'x'.repeat(101), 'a\0b']) {
      expect([text, await codeOf(place(text))]).toEqual([text, 'INVALID_REQUEST_PARAMETERS'])
    }
  })

  it('says so where messages are gone, or nobody kept them', async () => {
    const { books, place, streams } = await stream()
    const { streamId } = await place()
    const ids = await books.facts(4)
    await relayOn(suite.db())
    await suite.db().query(sql`delete from messages where message_id = ${ids[1]}`)
    expect(await codeOf(place(ids[0]))).toBe('LAST_EVENT_ID_IS_GONE')
    expect(await codeOf(place(`${streamId}.0`))).toBe(null)
    expect(await place(ids[2])).toMatchObject({ number: 3 })

    expect(await streams.lapse(later(clock.now(), -hour))).toBe(0)
    expect(await streams.lapse(later(clock.now(), hour))).toBe(1)
    await books.facts(2)
    await relayOn(suite.db())
    expect(await codeOf(place(ids[3]))).toBe('LAST_EVENT_ID_IS_GONE')
    const anew = await place()
    const [id] = await books.facts(1)
    await relayOn(suite.db())
    expect(await place(id)).toMatchObject({ streamId, number: anew.number + 1 })
    expect(await codeOf(place(`${streamId}.4`))).toBe('LAST_EVENT_ID_IS_GONE')
  })
})

describe('readers of a stream', () => {
  it('get all of it from wherever they are, and what comes when it comes', async () => {
    const { books, place, streams } = await stream()
    await place()
    let reads = 0
    const counted = {
      ...streams,
      after: (...of: Parameters<typeof streams.after>) => {
        reads += 1
        return streams.after(...of)
      },
    }
    const tails = openStreamTails({ streams: counted, clock, newId, logger: quiet })
    const readers = Array.from({ length: 50 }, () => tails.follow(books))
    const told: string[] = []
    const all = Promise.all(readers.map((reader) => readAll(reader, 30)))
    for (let round = 0; round < 3; round += 1) {
      told.push(...(await books.facts(10)))
      await relayOn(suite.db())
    }
    for (const ids of await all) expect(ids).toEqual(told)
    // Together: one of them asks for all.
    expect(reads).toBeLessThan(50)
    expect(await readAll(tails.follow(books), 30)).toEqual(told)
    for (const reader of readers) reader.leave()
    await tails.stop()
  })

  it('hear that the next message is gone, or that the store is another', async () => {
    const { books, place, streams } = await stream()
    await place()
    const ids = await books.facts(5)
    await relayOn(suite.db())
    const tails = openStreamTails({ streams, clock, newId, logger: quiet })
    const reader = tails.follow(books)
    expect(await readAll(reader, 5)).toEqual(ids)
    await suite.db().query(sql`delete from messages where message_id = ${ids[2]}`)
    const fresh = openStreamTails({ streams, clock, newId, logger: quiet })
    const late = fresh.follow(books)
    expect(await readAll(late, 2)).toEqual(ids.slice(0, 2))
    expect(await late.read(2, null)).toBe(null)
    await suite.db().query(sql`
      update webhook_streams set last_number = 1 where business_id = ${books.businessId}`)
    await expect.poll(() => reader.read(5, null)).toBe(null)
    await Promise.all([tails.stop(), fresh.stop()])
  })
})

async function readAll(reader: StreamReader, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  let at = 0
  while (ids.length < count) {
    const found = await reader.read(at, null)
    if (found === null) throw new Error('It is gone.')
    ids.push(...found.map(({ messageId }) => messageId))
    at = found.at(-1)?.number ?? at
    if (found.length === 0) await reader.wait(at, 1_000)
  }
  return ids
}
