import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import type { AccountKey } from '../../src/parts/store/accounts.ts'
import type { Committed, Measured } from '../../src/parts/store/measuring.ts'
import type { Fold } from '../../src/rules/meter/fold.ts'
import { emptyFold, mergeFolds } from '../../src/rules/meter/fold.ts'
import type { AggregationType } from '../../src/rules/meter/meter.ts'
import { usage } from '../../src/rules/meter/route.ts'
import { formatDecimal, parseDecimal } from '../../src/std/decimal.ts'
import { after, day, hour, instantOf } from '../../src/std/instant.ts'
import type { Increment, ScratchStore } from '../support/store.ts'
import { january, measuredOf, sliceOf } from '../support/store.ts'
import { incrementOf } from '../support/usage.ts'
import type { StoreDriver } from './accounts.ts'

/** What every store of measuring promises [design 3.1, 3.6, 3.8]. */
export function testMeasuring(driver: StoreDriver): void {
  describe(`measuring in ${driver.name}`, () => {
    let store: ScratchStore
    let partitions = 0

    beforeAll(async () => {
      store = await driver.open()
    })
    afterAll(() => store.drop())

    /** A partition that nobody took before, in its first epoch. */
    async function partition(): Promise<number> {
      partitions += 1
      await store.measuring.take(partitions, 'log', `ns${partitions}`)
      return partitions
    }

    async function account(): Promise<AccountKey> {
      const scope = await store.business()
      const customerId = await store.customer(scope)
      return { ...scope, customerId, entitlementId: await store.entitlement(scope) }
    }

    const commit = (parts: Partial<Measured>): Promise<Committed> =>
      store.measuring.commit(measuredOf(parts))

    const checkpoint = async (of: number) =>
      (await store.measuring.checkpoints()).find((each) => each.partition === of)

    async function unchanged(work: () => Promise<Committed>): Promise<Committed> {
      const before = await store.contents()
      const answer = await work()
      expect(await store.contents()).toBe(before)
      return answer
    }

    describe('taking a partition', () => {
      test('begins at the first record, in the first epoch, in the given namespace', async () => {
        const taken = await store.measuring.take(900, 'log one', 'first')
        expect(taken).toEqual({
          partition: 900,
          nextOffset: 0,
          epoch: 1,
          logIdentity: 'log one',
          logAt: instantOf(0),
          digest: null,
          namespace: 'first',
          halted: null,
          totals: { events: 0, billed: 0, unmatched: 0, duplicates: 0, quarantined: 0 },
        })
      })

      test('again moves the epoch and nothing else: what is known of the log stays', async () => {
        const own = await partition()
        await commit({ slices: [sliceOf({ partition: own, end: 7 })] })
        const before = await checkpoint(own)
        const taken = await store.measuring.take(own, 'another log', 'another')
        expect(taken).toEqual({ ...before, epoch: 2 })
      })

      test('fences whoever held it before', async () => {
        const own = await partition()
        await store.measuring.take(own, 'log', 'ns')
        const answer = await unchanged(() => commit({ slices: [sliceOf({ partition: own })] }))
        const lost = { partition: own, epoch: 2, nextOffset: 0 }
        expect(answer).toEqual({ kind: 'lost', partitions: [lost] })
      })

      test('two at once get two epochs', async () => {
        const own = await partition()
        const { measuring } = store.another()
        const taken = await Promise.all([
          store.measuring.take(own, 'log', 'ns'),
          measuring.take(own, 'log', 'ns'),
        ])
        expect(taken.map(({ epoch }) => epoch).toSorted()).toEqual([2, 3])
      })
    })

    describe('a commit', () => {
      test('moves checkpoint, totals, log time and digest, and keeps the batch', async () => {
        const own = await partition()
        const key = await account()
        const digest = new Uint8Array([1, 2, 254, 255])
        const first = sliceOf({
          partition: own,
          end: 3,
          digest,
          events: 4,
          billed: 1,
          unmatched: 1,
          duplicates: 2,
          verdicts: new Uint8Array([0, 1, 2, 2]),
        })
        const accounts = [key]
        expect(await commit({ slices: [first], usage: [incrementOf(key)], accounts })).toEqual({
          kind: 'committed',
        })
        expect(await checkpoint(own)).toMatchObject({
          nextOffset: 3,
          logAt: january,
          totals: { events: 4, billed: 1, unmatched: 1, duplicates: 2, quarantined: 0 },
        })
        expect(Buffer.from((await checkpoint(own))?.digest ?? [])).toEqual(Buffer.from(digest))
        const [batch] = await batchesOf(own)
        expect(batch).toMatchObject({ start: 0, end: 3, logAt: january })
        expect([...(batch?.verdicts ?? [])]).toEqual([0, 1, 2, 2])
        expect([...(batch?.fingerprints ?? [])]).toEqual([...first.fingerprints])
        const [view] = await store.accounts.load([key])
        expect(view).toMatchObject({ usage: [{ events: 1, value: '1' }] })
        expect(view?.unsettled).toHaveLength(1)
      })

      test('adds to the totals; log time never steps back, an absent digest changes none', async () => {
        const own = await partition()
        const digest = new Uint8Array([9])
        await commit({ slices: [sliceOf({ partition: own, digest })] })
        const earlier = instantOf(january - hour)
        await commit({ slices: [sliceOf({ partition: own, start: 1, logAt: earlier })] })
        const now = await checkpoint(own)
        expect(now).toMatchObject({ nextOffset: 2, logAt: january, totals: { events: 2 } })
        expect([...(now?.digest ?? [])]).toEqual([9])
      })

      test('keeps what cannot be read with its bytes and its reason', async () => {
        const own = await partition()
        const value = new Uint8Array([0, 255, 10, 128])
        const reason = 'it is not UTF-8'
        const record = { partition: own, offset: 0, reason, value, events: 3 }
        const slice = sliceOf({ partition: own, events: 3, billed: 0, quarantined: 3 })
        await commit({ slices: [slice], quarantined: [record] })
        const [row] = await store.db.query<{ reason: string; value: Uint8Array; events: number }>({
          text: 'select reason, value, events from quarantine where partition = $1',
          values: [own],
        })
        expect(row).toMatchObject({ reason, events: 3 })
        expect([...(row?.value ?? [])]).toEqual([...value])
      })

      test('answers `lost` where a start is not the next offset, and writes nothing', async () => {
        const [good, done, ahead] = [await partition(), await partition(), await partition()]
        const key = await account()
        await commit({ slices: [sliceOf({ partition: done, end: 5 })] })
        const slices = [
          sliceOf({ partition: good }),
          sliceOf({ partition: done }),
          sliceOf({ partition: ahead, start: 1 }),
        ]
        const write = { slices, usage: [incrementOf(key)], accounts: [key] }
        const answer = await unchanged(() => commit(write))
        expect(answer.kind).toBe('lost')
        const partitions = answer.kind === 'lost' ? answer.partitions : []
        expect(new Set(partitions)).toEqual(
          new Set([
            { partition: done, epoch: 1, nextOffset: 5 },
            { partition: ahead, epoch: 1, nextOffset: 0 },
          ]),
        )
      })

      test('the same slice twice counts once', async () => {
        const own = await partition()
        const key = await account()
        const write = { slices: [sliceOf({ partition: own })], usage: [incrementOf(key)] }
        const { measuring } = store.another()
        const answers = await Promise.all([
          commit(write),
          measuring.commit(measuredOf(write)),
          commit(write),
        ])
        expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['committed', 'lost', 'lost'])
        const [view] = await store.accounts.load([key])
        expect(view?.usage).toMatchObject([{ events: 1, value: '1' }])
      })

      test('commits of several partitions on one usage row add up', async () => {
        const key = await account()
        const { measuring } = store.another()
        const owns = [await partition(), await partition(), await partition(), await partition()]
        const answers = await Promise.all(
          owns.map((own, index) =>
            (index % 2 === 0 ? store.measuring : measuring).commit(
              measuredOf({ slices: [sliceOf({ partition: own })], usage: [incrementOf(key)] }),
            ),
          ),
        )
        expect(answers.map(({ kind }) => kind)).toEqual(owns.map(() => 'committed'))
        const [view] = await store.accounts.load([key])
        expect(view?.usage).toMatchObject([{ events: 4, value: '4' }])
      })

      test('a halted partition is lost to everybody', async () => {
        const own = await partition()
        await store.measuring.halt(own, 2, 'not ours to halt')
        expect((await checkpoint(own))?.halted).toBeNull()
        await store.measuring.halt(own, 1, 'the log lies')
        expect((await checkpoint(own))?.halted).toBe('the log lies')
        const answer = await unchanged(() => commit({ slices: [sliceOf({ partition: own })] }))
        expect(answer.kind).toBe('lost')
      })
    })

    describe('versions', () => {
      test('of a catalog that moved, or is none, are named and nothing is written', async () => {
        const own = await partition()
        const { businessId, mode } = await store.business()
        const catalogs = [
          { businessId, mode, version: 1 },
          { businessId: 'bus_none', mode, version: 1 },
        ]
        await store.db.query({
          text: `update business_modes set catalog_version = 2
            where business_id = $1 and mode = 'test'`,
          values: [businessId],
        })
        const write = { slices: [sliceOf({ partition: own })], catalogs }
        const answer = await unchanged(() => commit(write))
        expect(answer).toMatchObject({ kind: 'stale', customers: [] })
        expect(answer.kind === 'stale' && new Set(answer.catalogs)).toEqual(
          new Set([
            { businessId, mode },
            { businessId: 'bus_none', mode },
          ]),
        )
        const fresh = { ...write, catalogs: [{ businessId, mode, version: 2 }] }
        expect(await commit(fresh)).toEqual({ kind: 'committed' })
      })

      test("of a customer's routes that moved are named and nothing is written", async () => {
        const own = await partition()
        const { businessId, mode, customerId } = await account()
        const at = (version: number) => ({
          slices: [sliceOf({ partition: own })],
          routes: [{ businessId, mode, customerId, version }],
        })
        expect(await unchanged(() => commit(at(2)))).toEqual({
          kind: 'stale',
          catalogs: [],
          customers: [{ businessId, mode, customerId }],
        })
        expect(await commit(at(1))).toEqual({ kind: 'committed' })
      })

      test('a lost compare is told before stale versions: it needs no new measuring', async () => {
        const own = await partition()
        const catalogs = [{ businessId: 'bus_none', mode: 'test' as const, version: 1 }]
        const write = { slices: [sliceOf({ partition: own, start: 4 })], catalogs }
        expect((await unchanged(() => commit(write))).kind).toBe('lost')
      })
    })

    describe('usage', () => {
      test.each(['count', 'sum', 'max', 'last'] as const)(
        '%s: rows merge as folds do, whatever the order and the splitting',
        async (aggregation) => {
          const own = await partition()
          let start = 0
          await fc.assert(
            fc.asyncProperty(fc.array(anyFold(aggregation), { minLength: 1, maxLength: 6 }), merge),
            { numRuns: 25 },
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
          const logAt = after(january, start * hour)
          await commit({ slices: [sliceOf({ partition: own, start, logAt })] })
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
          text: `insert into batches (partition, start_offset, end_offset, log_at, fingerprints, verdicts)
            select $1::integer, n, n + 1, 'epoch', '', '' from generate_series(0, 449) n`,
          values: [own],
        })
        expect((await batchesOf(own)).map(({ start }) => start)).toEqual(
          Array.from({ length: 450 }, (_, index) => index),
        )
      })
    })

    test('a namespace changes only in the epoch that holds the partition', async () => {
      const own = await partition()
      expect(await store.measuring.rename(own, 2, 'stolen')).toBe(false)
      expect(await store.measuring.rename(own, 1, 'healed')).toBe(true)
      expect((await checkpoint(own))?.namespace).toBe('healed')
    })

    test('routes of customers come with the version that they had; unknown ones are left out', async () => {
      const { businessId, mode, customerId } = await account()
      const keys = [
        { businessId, mode, customerId },
        { businessId, mode, customerId: 'cus_none' },
      ]
      expect(await store.measuring.routes(keys)).toEqual([
        { businessId, mode, customerId, version: 1, routes: [] },
      ])
      expect(await store.measuring.routes([])).toEqual([])
    })

    async function batchesOf(own: number, from = 0, age = 365 * day) {
      const all = []
      for await (const batch of store.measuring.batches(own, from, age)) all.push(batch)
      return all
    }
  })
}

/** Ids whose order tells bytes from UTF-16 units from dictionaries; moments that tie often. */
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
