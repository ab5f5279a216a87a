import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OpenedDedupe } from '../../../support/dedupe/redis-dedupe.ts'
import { bucketsRead, noon, openOn, spread } from '../../../support/dedupe/redis-dedupe.ts'
import { runs } from '../../../support/run/runs.ts'
import { describeWith } from '../../../support/servers/describe-with.ts'
import type { TestRedis } from '../../../support/servers/redis.ts'
import { redisMissing, startRedis } from '../../../support/servers/redis.ts'
import { until } from '../../../support/servers/until.ts'

describeWith(redisMissing, 'the sieve of who marks', () => {
  let server: TestRedis
  let opened: OpenedDedupe
  beforeAll(async () => {
    server = await startRedis()
  })
  beforeEach(async () => {
    await server.cli('FLUSHALL')
    opened = await openOn(server)
  })
  afterEach(() => opened.close())
  afterAll(() => server.stop())

  it('asks Redis about next to no new ids, and after a restart once it has read all', async () => {
    const books = openBooks()
    for (let run = 0; run < 20; run += 1) await books.measure(opened, { fresh: 2_000, again: 0 })
    expect(await readBy(() => books.ask(opened, { fresh: 2_000, again: 0 }))).toBeLessThan(40)
    await opened.close()
    opened = await openOn(server)
    const asks = () => readBy(() => books.ask(opened, { fresh: 1_500, again: 0 }))
    expect(await asks()).toBeGreaterThan(100)
    await until('a sieve that is full', async () => (await asks()) < 40)
    await books.measure(opened, { fresh: 500, again: 1_000 })
  })

  it('is not full where an older copy answers while it reads', async () => {
    const mark = (start: number) =>
      opened.dedupe.mark(0, 'a', {
        start,
        end: start + 1,
        ran: noon,
        ids: spread(start * 10_000, 10_000),
      })
    await opened.dedupe.reset(0, 'a', 0)
    for (let start = 0; start < 20; start += 1) await mark(start)
    await server.cli('EVAL', remember, '0')
    await mark(20)
    await opened.close()
    opened = await openOn(server)
    // It begins to read, which takes some forty rounds.
    await opened.dedupe.check(0, 'a', 21, spread(900_000, 3_000))
    await server.cli('EVAL', restore, '0')
    await new Promise((done) => setTimeout(done, 300))
    for (let at = 0; at < 10_000; at += 50) {
      const answer = await opened.dedupe.check(0, 'a', 21, spread(200_000 + at, 1))
      expect(answer).toEqual({ kind: 'stale', synced: 20 })
    }
  })

  it('does not take the place of another namespace for its own', async () => {
    const { dedupe } = opened
    const other = await openOn(server)
    const run = { start: 0, end: 1, ran: noon }
    await dedupe.reset(0, 'a', 0)
    await dedupe.mark(0, 'a', { ...run, ids: spread(0, 5) })
    expect(await dedupe.check(0, 'a', 1, spread(3, 4))).toMatchObject({
      known: Uint8Array.of(1, 1, 0, 0),
    })
    // The books were restored, and another process has filled dedupe again, to the same place.
    await other.dedupe.reset(0, 'b', 0)
    await other.dedupe.mark(0, 'b', { ...run, ids: spread(5, 5) })
    expect(await dedupe.check(0, 'b', 1, spread(3, 4))).toMatchObject({
      known: Uint8Array.of(0, 0, 1, 1),
    })
    await other.close()
  })

  it('knows exactly what was measured, whatever becomes of Redis, the books or the process', async () => {
    let spared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 25 }), async (all) => {
        await server.cli('FLUSHALL')
        await server.cli('EVAL', remember, '0')
        const books = openBooks()
        const other = await openOn(server)
        for (const { again, fresh, kind } of all) {
          const amount = { fresh, again }
          if (kind === 'measured') await books.measure(opened, amount)
          if (kind === 'measured elsewhere') await books.measure(other, amount)
          if (kind === 'not marked') await books.measure(opened, amount, false)
          if (kind === 'emptied') await server.cli('FLUSHDB')
          if (kind === 'remembered') await server.cli('EVAL', remember, '0')
          if (kind === 'an older copy') await server.cli('EVAL', restore, '0')
          if (kind === 'books lost') books.lose()
          if (kind === 'time passes') await new Promise((done) => setTimeout(done, 20))
          if (kind === 'restarted') {
            await opened.close()
            opened = await openOn(server)
          }
          const read = await readBy(() => books.ask(opened, { fresh: 300, again: 0 }))
          if (read === 0) spared += 1
          await books.ask(opened, { fresh: 5, again: 50 })
        }
        await other.close()
      }),
      runs(40),
    )
    expect(spared).toBeGreaterThan(3)
  })

  /** How many buckets were read meanwhile. */
  async function readBy(work: () => Promise<void>): Promise<number> {
    const before = await bucketsRead(server)
    await work()
    return (await bucketsRead(server)) - before
  }
})

interface Amount {
  /** Ids that nobody has measured, and at most so many that were measured before. */
  readonly fresh: number
  readonly again: number
}

interface MeasuredRun {
  readonly start: number
  /** The number of its first id, and how many ids it has. */
  readonly from: number
  readonly count: number
}

/** The books of one partition, and what measuring does with dedupe. */
function openBooks() {
  let [next, nextId, namespaces] = [0, 0, 0]
  let namespace = 'n0'
  let measured: MeasuredRun[] = []
  return { ask, measure, lose }

  /** Asks about ids, and expects to be told exactly which of them were measured. */
  async function ask({ dedupe }: OpenedDedupe, { again, fresh }: Amount): Promise<void> {
    const known = measured.flatMap(({ count, from }) =>
      [0, Math.floor(count / 2), count - 1].map((at) => from + at),
    )
    const old = known.slice(-again * 2).filter((_, index) => index % 2 === 0)
    const ids = new Uint32Array((old.length + fresh) * 3)
    for (const [index, id] of old.entries()) ids.set(spread(id, 1), index * 3)
    ids.set(spread(nextId, fresh), old.length * 3)
    for (;;) {
      const answer = await dedupe.check(0, namespace, next, ids)
      if (answer.kind === 'answer') {
        const expected = new Uint8Array(old.length + fresh).fill(1, 0, old.length)
        expect(Buffer.compare(answer.known, expected)).toBe(0)
        return
      }
      await heal(dedupe, answer.synced)
    }
  }

  async function measure(by: OpenedDedupe, amount: Amount, isMarked = true): Promise<void> {
    await ask(by, amount)
    const run = { start: next, from: nextId, count: amount.fresh }
    measured.push(run)
    next += 1
    nextId += amount.fresh
    if (isMarked) await mark(by.dedupe, run)
  }

  async function heal(dedupe: OpenedDedupe['dedupe'], synced: number | null): Promise<void> {
    if (synced === null) {
      namespaces += 1
      namespace = `n${namespaces}`
      await dedupe.reset(0, namespace, 0)
    }
    for (const run of measured) if (run.start >= (synced ?? 0)) await mark(dedupe, run)
  }

  function mark(dedupe: OpenedDedupe['dedupe'], { count, from, start }: MeasuredRun) {
    const ids = spread(from, count)
    return dedupe.mark(0, namespace, { start, end: start + 1, ran: noon, ids })
  }

  /** The store is restored from an older copy. */
  function lose(): void {
    measured = measured.slice(0, -2)
    next = measured.length
  }
}

/** Keeps a copy of everything, in the same Redis. */
const remember = `
  for _, key in ipairs(redis.call('KEYS', 'copy:*')) do redis.call('DEL', key) end
  for _, key in ipairs(redis.call('KEYS', 'sluice:*')) do
    redis.call('SET', 'copy:' .. key, redis.call('DUMP', key))
  end`

/** As after a failover to a replica that was behind. */
const restore = `
  for _, key in ipairs(redis.call('KEYS', 'sluice:*')) do redis.call('DEL', key) end
  for _, key in ipairs(redis.call('KEYS', 'copy:*')) do
    redis.call('RESTORE', string.sub(key, 6), 0, redis.call('GET', key))
  end`

const happening = fc.record({
  kind: fc.constantFrom(
    ...(['measured', 'measured', 'measured', 'measured', 'time passes', 'time passes'] as const),
    ...(['measured elsewhere', 'not marked', 'emptied', 'remembered', 'an older copy'] as const),
    ...(['books lost', 'restarted'] as const),
  ),
  fresh: fc.constantFrom(30, 1_200, 3_000),
  again: fc.nat(20),
})
