import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packIds, siftedOf } from '../../../../src/parts/dedupe/redis/id-packing.ts'
import type { MarkStep, News } from '../../../../src/parts/dedupe/redis/sieve/news.ts'
import { openPartitionSieve } from '../../../../src/parts/dedupe/redis/sieve/partition.ts'
import { spread } from '../../../support/dedupe/redis-dedupe.ts'

/**
 * A partition as Redis holds it. Its log has two ids at each offset, so a mark that begins again
 * has the same ones. Slow and plain: the books that a sieve is compared with.
 */
function openHistory() {
  const state = { synced: 0, step: 0, newest: null as number | null, filling: 'f' }
  const steps: MarkStep[] = []
  const marked: Marked[] = []
  let [told, end, isTold] = [0, 0, true]
  let left: number[] = []
  return { state, mark, newsSince, all: () => marked, marked: committed }

  /** Those of marks that came to their end. */
  function committed(): readonly Marked[] {
    return marked.filter(({ id }) => id < idAt(state.synced))
  }

  /** One step; `isTold` false: by an older release. */
  function mark(how: How): void {
    const generation = Math.max(how.generation, state.newest ?? 0)
    if (how.begins || state.step === 0) {
      state.step = 0
      end = state.synced + how.by
      // One process takes all steps of a mark.
      isTold = how.isTold
      left = Array.from({ length: how.by * 2 }, (_, at) => idAt(state.synced) + at)
    }
    const ids = left.splice(0, how.isLast ? left.length : how.count)
    for (const id of ids) marked.push({ id, generation })
    const [start, step] = [state.synced, state.step + 1]
    if (isTold) {
      const packed = Buffer.concat(ids.map((id) => packIds(spread(id, 1), [1]).bytes))
      const { isLast } = how
      steps.push({ start, end, step, isLast, generation, ids: siftedOf(packed) })
      told += 1
    }
    state.newest = generation
    state.step = how.isLast ? 0 : step
    if (how.isLast) state.synced = end
  }

  function newsSince(heard: number, kept: number): News {
    const since = steps.slice(Math.min(heard, told))
    return {
      ...state,
      told,
      count: marked.length,
      steps: since.slice(Math.max(0, since.length - kept)),
    }
  }
}

const idAt = (offset: number): number => offset * 2

interface Marked {
  readonly id: number
  readonly generation: number
}

interface How {
  readonly generation: number
  /** How many offsets a mark that begins goes over, and how many ids a step takes of it. */
  readonly by: number
  readonly count: number
  readonly isLast: boolean
  readonly begins: boolean
  readonly isTold: boolean
}

const change = fc.record({
  by: fc.integer({ min: 1, max: 4 }),
  count: fc.integer({ min: 1, max: 3 }),
  isLast: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
  begins: fc.oneof({ weight: 1, arbitrary: fc.constant(true) }, fc.constant(false)),
  later: fc.nat(1),
  isTold: fc.oneof({ weight: 12, arbitrary: fc.constant(true) }, fc.constant(false)),
  hears: fc.boolean(),
  kept: fc.oneof({ weight: 8, arbitrary: fc.constant(100) }, fc.nat(2)),
  fillsAnew: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, fc.constant(true)),
})

it('doubts every id that was marked for as long as it does not say that it missed something', () => {
  let [lost, survived] = [0, 0]
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), fc.nat(10), (changes, beginsAfter) => {
      const history = openHistory()
      for (const each of changes.slice(0, beginsAfter)) apply(history, each)
      const sieve = openPartitionSieve(history.newsSince(0, 100), { left: 1e9 })
      pourAll(history, sieve)
      expect(sieve.doubted(spread(0, 1))).toBe(null)
      sieve.fill()
      for (const each of changes.slice(beginsAfter)) {
        apply(history, each)
        if (!each.hears) continue
        if (!sieve.hear(history.newsSince(sieve.told(), each.kept))) {
          lost += 1
          return
        }
        const newest = history.state.newest ?? 0
        const live = history.marked().filter(({ generation }) => generation >= newest - 2)
        for (const { id } of live) expect(sieve.doubted(spread(id, 1))).toEqual([0])
        survived += 1
      }
    }),
    { numRuns: 500 },
  )
  expect(Math.min(lost, survived)).toBeGreaterThan(5)
})

it('says so wherever a step is missing, whoever lost it', () => {
  const how = { generation: 0, by: 1, count: 2, isLast: true, begins: true, isTold: true }
  const missing: readonly ((history: ReturnType<typeof openHistory>) => void)[] = [
    (history) => history.mark({ ...how, isTold: false }),
    (history) => {
      history.mark(how)
      history.mark({ ...how, isTold: false })
    },
    (history) => {
      history.mark({ ...how, isLast: false, isTold: false })
    },
    (history) => {
      history.state.filling = 'g'
    },
    // An older copy took over.
    (history) => {
      history.state.synced -= 1
    },
  ]
  for (const miss of missing) {
    const history = openHistory()
    history.mark(how)
    const sieve = openPartitionSieve(history.newsSince(0, 100), { left: 1e9 })
    sieve.fill()
    history.mark(how)
    expect(sieve.hear(history.newsSince(sieve.told(), 100))).toBe(true)
    miss(history)
    expect(sieve.hear(history.newsSince(sieve.told(), 100))).toBe(false)
  }
})

it('doubts only ids that were marked, and nothing after it was dropped', () => {
  const history = openHistory()
  const room = { left: 1_000_000 }
  const sieve = openPartitionSieve(history.newsSince(0, 100), room)
  sieve.fill()
  const how = { generation: 3, by: 2, count: 2, isLast: true, begins: true, isTold: true }
  history.mark(how)
  expect(sieve.hear(history.newsSince(0, 100))).toBe(true)
  expect(sieve.doubted(spread(0, 8))).toEqual([0, 1, 2, 3])
  // Ids of three generations before are known no more.
  history.mark({ ...how, by: 1, generation: 6 })
  expect(sieve.hear(history.newsSince(sieve.told(), 100))).toBe(true)
  expect(sieve.doubted(spread(0, 8))).toEqual([4, 5])
  sieve.drop()
  expect(sieve.doubted(spread(0, 6))).toBe(null)
  expect(room.left).toBe(1_000_000)
})

function apply(history: ReturnType<typeof openHistory>, each: Change): void {
  if (each.fillsAnew) history.state.filling += 'x'
  const generation = (history.state.newest ?? 0) + each.later
  history.mark({ ...each, generation })
}

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** Each id as a bucket of its own of the first form. */
function pourAll(
  history: ReturnType<typeof openHistory>,
  sieve: ReturnType<typeof openPartitionSieve>,
): void {
  for (const { id, generation } of history.all()) {
    const bucket = packIds(spread(id, 1), [1]).bytes.subarray(2, 11)
    sieve.pour(generation, bucket, { width: 9, before: 0 })
  }
}
