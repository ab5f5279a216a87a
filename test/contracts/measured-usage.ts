import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import type { AccountKey } from '../../src/rules/accounts/view.ts'
import type { Fold } from '../../src/rules/meter/fold.ts'
import { emptyFold, mergeFolds } from '../../src/rules/meter/fold.ts'
import type { AggregationType } from '../../src/rules/meter/meter.ts'
import { usage } from '../../src/rules/meter/route.ts'
import { formatDecimal, parseDecimal } from '../../src/std/decimal.ts'
import { after, day, hour } from '../../src/std/instant.ts'
import { measuringDesk } from '../support/measuring/desk.ts'
import { runs } from '../support/run/runs.ts'
import type { Increment, ScratchStore } from '../support/store/scratch-store.ts'
import { january, sliceOf } from '../support/store/scratch-store.ts'
import { incrementOf } from '../support/store/usage.ts'
import type { StoreDriver } from './accounts.ts'

/**
 * Usage merges by the rules of folds, and batches come back as they were. [machines#settling,
 * machines#dedupe]
 */
export function testMeasuredUsage(driver: StoreDriver): void {
  describe(`measured usage in ${driver.name}`, () => {
    const desk = measuringDesk(driver)
    const { partition, account, commit, unchanged, batchesOf } = desk
    let store: ScratchStore

    beforeAll(async () => {
      store = await desk.open()
    })
    afterAll(() => store.drop())

    describe('usage', () => {
      test('of a partition that the store does not know is not counted, nor what comes with it', async () => {
        const key = await account()
        const slices = [sliceOf({ partition: await partition() }), sliceOf({ partition: 990 })]
        const write = { slices, usage: [incrementOf(key)], accounts: [key] }
        const unknown = { partition: 990, epoch: 0, nextOffset: 0, halted: false }
        const lost = { kind: 'lost', partitions: [unknown] }
        expect(await unchanged(() => commit(write))).toEqual(lost)
      })

      test.each(['count', 'sum', 'max', 'last'] as const)(
        '%s: rows merge as folds do, whatever the order and the splitting',
        async (aggregation) => {
          const own = await partition()
          let start = 0
          await fc.assert(
            fc.asyncProperty(fc.array(anyFold(aggregation), { minLength: 1, maxLength: 6 }), merge),
            runs(25),
          )

          async function merge(folds: readonly Fold[]): Promise<void> {
            const key = await account()
            for (const fold of folds) {
              const slice = sliceOf({ partition: own, start })
              start = slice.end
              await commit({ slices: [slice], usage: [incrementOfFold(key, fold)] })
            }
            const [view] = await store.accounts.load([key])
            const [row, ...others] = view?.usage ?? []
            expect(others).toEqual([])
            const expected = folds.reduce(mergeFolds, emptyFold(aggregation))
            expect(row).toMatchObject({
              aggregation,
              events: expected.events,
              lastAt: expected.last?.at ?? null,
              lastReceived: expected.last?.received ?? null,
              lastEventId: expected.last?.eventId ?? null,
            })
            expect(parseDecimal(row?.value ?? '', limits.usageScale)).toBe(expected.value)
          }
        },
      )

      test('last: of two with the same key the greater value stays, whichever came first', async () => {
        const own = await partition()
        const at = { aggregation: 'last', lastAt: january, lastReceived: january, lastEventId: 'a' }
        for (const [index, values] of [
          ['1', '-2.5'],
          ['-2.5', '1'],
        ].entries()) {
          const key = await account()
          for (const [turn, value] of values.entries()) {
            const slice = sliceOf({ partition: own, start: index * 2 + turn })
            await commit({ slices: [slice], usage: [incrementOf(key, { ...at, value })] })
          }
          const [view] = await store.accounts.load([key])
          expect(view?.usage).toMatchObject([{ value: '1', events: 2 }])
        }
      })

      test('of other routes, meters, entitlements, segments and hours has rows of its own', async () => {
        const own = await partition()
        const key = await account()
        const rows: readonly Increment[] = [
          incrementOf(key),
          incrementOf(key, { routeId: 'sub_1' }),
          incrementOf(key, { meterId: 'mtr_bytes' }),
          incrementOf(key, { segmentAt: after(january, day) }),
          incrementOf(key, { logHour: 7 }),
        ]
        await commit({ slices: [sliceOf({ partition: own })], usage: rows })
        await commit({ slices: [sliceOf({ partition: own, start: 1 })], usage: rows })
        const [view] = await store.accounts.load([key])
        expect(view?.usage.map(({ value }) => value)).toEqual(rows.map(() => '2'))
      })
    })

    describe('batches', () => {
      test('come in order from an offset on, down to an age before the newest', async () => {
        const own = await partition()
        for (let start = 0; start < 5; start += 1) {
          // Log time runs backwards here, and must not matter.
          const logAt = after(january, -start * day)
          const slice = sliceOf({ partition: own, start, logAt, ran: start * hour })
          await commit({ slices: [slice] })
        }
        const starts = (all: readonly { start: number }[]) => all.map(({ start }) => start)
        expect(starts(await batchesOf(own))).toEqual([0, 1, 2, 3, 4])
        expect(starts(await batchesOf(own, 2))).toEqual([2, 3, 4])
        expect(starts(await batchesOf(own, 0, 2 * hour))).toEqual([2, 3, 4])
        expect(starts(await batchesOf(own, 4, 0))).toEqual([4])
        expect(await batchesOf(own, 5)).toEqual([])
      })

      test('of many pages leave none out', async () => {
        const own = await partition()
        await store.db.query({
          text: `insert into batches (partition, start_offset, end_offset, log_at, ran, fingerprints, verdicts)
            select $1::integer, n, n + 1, 'epoch', 0, '', '' from generate_series(0, 449) n`,
          values: [own],
        })
        expect((await batchesOf(own)).map(({ start }) => start)).toEqual(
          Array.from({ length: 450 }, (_, index) => index),
        )
      })
    })
  })
}

/**
 * Ids whose order differs between bytes, UTF-16 units and dictionaries; moments that are often
 * equal.
 */
function anyFold(aggregation: AggregationType): fc.Arbitrary<Fold> {
  const moment = fc.integer({ min: 0, max: 2 }).map((step) => after(january, step))
  const eventId = fc.constantFrom('a', 'B', 'b', 'é', 'z', '\uffee', '\u{1f600}', 'a b', 'a-b')
  const quantity = fc.bigInt({ min: -(10n ** 36n), max: 10n ** 36n }).map(usage)
  const last = fc.record({ at: moment, received: moment, eventId })
  return fc.record({
    aggregation: fc.constant(aggregation),
    events: fc.integer({ min: 1, max: 5 }),
    value: quantity,
    last: aggregation === 'last' ? last : fc.constant(null),
  })
}

const incrementOfFold = (key: AccountKey, fold: Fold): Increment =>
  incrementOf(key, {
    aggregation: fold.aggregation,
    events: fold.events,
    value: formatDecimal(fold.value, limits.usageScale),
    lastAt: fold.last?.at ?? null,
    lastReceived: fold.last?.received ?? null,
    lastEventId: fold.last?.eventId ?? null,
  })
