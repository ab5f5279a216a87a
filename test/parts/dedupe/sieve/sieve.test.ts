import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Fingerprints } from '../../../../src/parts/dedupe/port.ts'
import { hour } from '../../../../src/std/instant.ts'
import type { OpenedDedupe } from '../../../support/dedupe/redis-dedupe.ts'
import { bucketsRead, noon, openOn, runOf, spread } from '../../../support/dedupe/redis-dedupe.ts'
import { runs } from '../../../support/run/runs.ts'
import { describeWith } from '../../../support/servers/describe-with.ts'
import type { TestRedis } from '../../../support/servers/redis.ts'
import { redisMissing, startRedis } from '../../../support/servers/redis.ts'
import { until } from '../../../support/servers/until.ts'

describeWith(redisMissing, 'the sieve before Redis', () => {
  let server: TestRedis
  let opened: OpenedDedupe
  beforeAll(async () => {
    server = await startRedis()
  })
  beforeEach(async () => {
    await server.cli('FLUSHALL')
    opened = await openOn(server, { sievesFrom: 0 })
    await opened.dedupe.reset(0, 'a', 0)
  })
  afterEach(() => opened.close())
  afterAll(() => server.stop())

  it('asks Redis about known ids, and about next to no others', async () => {
    await opened.dedupe.mark(0, 'a', runOf(0, spread(0, 30_000)))
    await until('a sieve that is full', isSparing)
    const before = await bucketsRead(server)
    for (let from = 30_000; from < 90_000; from += 100) {
      expect(await knownOf(spread(from, 100))).toBe(0)
    }
    // Of 60 000 strangers some two in a thousand are doubted, and those in a bucket each.
    expect((await bucketsRead(server)) - before).toBeLessThan(300)
    expect(await knownOf(spread(29_990, 20))).toBe(10)
    expect(await knownOf(spread(0, 30_000))).toBe(30_000)
  })

  it('knows what was marked while it was filling, and buckets that were split meanwhile', async () => {
    let [marked, runAt] = [0, 0]
    const mark = async (count: number, at = noon): Promise<void> => {
      expect(await opened.dedupe.mark(0, 'a', runOf(runAt, spread(marked, count), at))).toBe(true)
      marked += count
      runAt += 1
    }
    for (let run = 0; run < 15; run += 1) await mark(10_000)
    // The first question begins it; it reads for some 30 rounds.
    expect(await knownOf(spread(0, 1))).toBe(1)
    for (let run = 0; run < 40; run += 1) await mark(1_500, noon + Math.floor(run / 20) * 12 * hour)
    await until('a sieve that is full', isSparing)
    await settle()
    for (let from = 0; from < marked; from += 10_000) expect(await missedOf(from, 10_000)).toBe(0)
  })

  it('never misses an id that was marked a tenth of a second ago, whatever becomes of Redis', async () => {
    let sparing = 0
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 12 }), async (happenings) => {
        const model = await openModel(`n${runsSoFar}`)
        runsSoFar += 1
        for (const each of [quietly, ...happenings]) {
          await model.apply(each)
          await settle()
          if (await isSparing(model.namespace)) sparing += 1
          expect(await missedIn(model.namespace, model.held())).toBe(0)
        }
      }),
      runs(8),
    )
    expect(sparing).toBeGreaterThan(0)
  })

  let runsSoFar = 0

  /** A partition to which things happen, and what it must hold. */
  async function openModel(namespace: string) {
    let [offset, next, ran] = [0, 1_000_000 * (runsSoFar + 1), noon]
    let ids: { readonly from: number; readonly count: number }[] = []
    const { dedupe } = opened
    await dedupe.reset(0, namespace, 0)
    await apply({ kind: 'marked', count: 5 })
    await knownOf(spread(0, 1), namespace)
    await until('a sieve that is full', () => isSparing(namespace))
    return { apply, held: () => ids, namespace }

    async function apply({ count, kind }: Happening): Promise<void> {
      if (kind === 'later') ran += 12 * hour
      if (kind === 'filled anew') {
        await dedupe.reset(0, namespace, offset)
        ids = []
      }
      if (kind === 'lost') {
        await server.cli('FLUSHALL')
        await dedupe.reset(0, namespace, offset)
        ids = []
      }
      const told = kind === 'by an older release' ? await toldNow() : null
      expect(await dedupe.mark(0, namespace, runOf(offset, spread(next, count), ran))).toBe(true)
      if (told !== null) await untell(told)
      ids.push({ from: next, count })
      offset += 1
      next += count
      // Only what every driver keeps: a window is two generations.
      if (kind === 'later') ids = ids.slice(-1)
    }
  }

  const tagOf = async (): Promise<string> =>
    (await server.cli('KEYS', '*:0}')).split('\n')[0]?.trim() ?? ''

  async function toldNow(): Promise<string> {
    return (await server.cli('HGET', await tagOf(), 'told')).trim()
  }

  async function untell(told: string): Promise<void> {
    const tag = await tagOf()
    if (told === '') await server.cli('HDEL', tag, 'told')
    else await server.cli('HSET', tag, 'told', told)
    await server.cli('DEL', `${tag}:recent`)
  }

  async function missedIn(
    namespace: string,
    parts: readonly { readonly from: number; readonly count: number }[],
  ): Promise<number> {
    let missed = 0
    for (const { count, from } of parts) {
      missed += count - (await knownOf(spread(from, count), namespace))
    }
    return missed
  }

  const missedOf = async (from: number, count: number): Promise<number> =>
    count - (await knownOf(spread(from, count)))

  /** How many are known; asked again where Redis did not answer in time. */
  async function knownOf(ids: Fingerprints, namespace = 'a'): Promise<number> {
    for (;;) {
      const before = opened.skipped()
      const known = await opened.filter.known(0, namespace, ids)
      if (opened.skipped() === before) return known.reduce((sum, each) => sum + each, 0)
      // Without a pause nothing else of this thread would go on, its connection included.
      await pause(10)
    }
  }

  /** Whether it answers without Redis now. */
  async function isSparing(namespace = 'a'): Promise<boolean> {
    const before = await bucketsRead(server)
    for (let at = 0; at < 20; at += 1) await knownOf(spread(900_000_000 + at, 1), namespace)
    return (await bucketsRead(server)) - before < 5
  }
})

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** By how much news may be old, and a little more. */
const settle = () => pause(110)

const happening = fc.record({
  kind: fc.constantFrom(
    'marked',
    'marked',
    'marked',
    'later',
    'filled anew',
    'lost',
    'by an older release',
  ),
  count: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constantFrom(2_001, 9_000, 30_000)),
})

/** After it the sieve is still at work. */
const quietly = { kind: 'marked', count: 10 } as const

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never
