import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hour, instantOf, after as later } from '../../src/std/instant.ts'
import { measuringDesk } from '../support/measuring/desk.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { january, measuredOf, sliceOf } from '../support/store/scratch-store.ts'
import { incrementOf } from '../support/store/usage.ts'
import type { StoreDriver } from './accounts.ts'
import { testNamespaces } from './dedupe-namespaces.ts'

/** What every store of measuring promises. [machines#measuring, machines#writers] */
export function testMeasuring(driver: StoreDriver): void {
  describe(`measuring in ${driver.name}`, () => {
    const desk = measuringDesk(driver)
    const { partition, account, commit, checkpoint, unchanged, batchesOf } = desk
    let store: ScratchStore

    beforeAll(async () => {
      store = await desk.open()
    })
    afterAll(() => store.drop())

    describe('taking a partition', () => {
      test('begins at the first record, in an epoch, in the given namespace', async () => {
        expect(await store.measuring.take(900, 'log one', 'first')).toEqual({
          partition: 900,
          nextOffset: 0,
          epoch: expect.any(Number),
          logIdentity: 'log one',
          logAt: instantOf(0),
          ran: 0,
          digest: null,
          namespace: 'first',
          halted: null,
          leftOut: false,
          totals: { events: 0, billed: 0, unmatched: 0, duplicates: 0, quarantined: 0 },
        })
      })

      test('again moves the epoch and nothing else: what is known of the log stays', async () => {
        const own = await partition()
        await commit({ slices: [sliceOf({ partition: own, end: 7 })] })
        const before = await checkpoint(own)
        const taken = await store.measuring.take(own, 'another log', 'another')
        expect({ ...taken, epoch: 1 }).toEqual(before)
        expect(taken.epoch).toBeGreaterThan(1)
      })

      test('fences whoever held it before', async () => {
        const own = await partition()
        const { epoch } = await store.measuring.take(own, 'log', 'ns')
        const answer = await unchanged(() => commit({ slices: [sliceOf({ partition: own })] }))
        const lost = { partition: own, epoch, nextOffset: 0, halted: false }
        expect(answer).toEqual({ kind: 'lost', partitions: [lost] })
      })

      test('two at once get two epochs', async () => {
        const own = await partition()
        const both = [store.measuring, store.another().measuring]
        const taken = await Promise.all(both.map((each) => each.take(own, 'log', 'ns')))
        expect(new Set(taken.map(({ epoch }) => epoch)).size).toBe(2)
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
          ran: hour,
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
          ran: hour,
          totals: { events: 4, billed: 1, unmatched: 1, duplicates: 2, quarantined: 0 },
        })
        expect(Buffer.from((await checkpoint(own))?.digest ?? [])).toEqual(Buffer.from(digest))
        const [batch] = await batchesOf(own)
        expect(batch).toMatchObject({ start: 0, end: 3, ran: hour })
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
            { partition: done, epoch: 1, nextOffset: 5, halted: false },
            { partition: ahead, epoch: 1, nextOffset: 0, halted: false },
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

      test('a halted partition is lost to everybody until it is resumed', async () => {
        const own = await partition()
        const halted = async () => (await checkpoint(own))?.halted
        await store.measuring.halt(own, 2, 'not ours to halt')
        expect(await halted()).toBeNull()
        await store.measuring.halt(own, 1, 'the log lies')
        await store.measuring.resume(own, 2)
        expect(await halted()).toBe('the log lies')
        const answer = await unchanged(() => commit({ slices: [sliceOf({ partition: own })] }))
        expect(answer.kind).toBe('lost')
        await store.measuring.resume(own, 1)
        expect((await commit({ slices: [sliceOf({ partition: own })] })).kind).toBe('committed')
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
          routes: [{ businessId, mode, customerId, version, stamp: 0 }],
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

    describe('a halted partition', () => {
      test('keeps its first reason, and when that was, however often it is met again', async () => {
        const own = await partition()
        await store.measuring.halt(own, 1, 'the first reason')
        await haltedFor(store, own, 10)
        const { epoch } = await store.measuring.take(own, 'log', 'ns')
        await store.measuring.halt(own, epoch, 'another reason')
        expect(await checkpoint(own)).toMatchObject({ halted: 'the first reason', leftOut: false })
        await haltedFor(store, own, 5)
        expect((await checkpoint(own))?.leftOut).toBe(true)
      })

      test('is waited for 15 minutes by the watermark, and left out then', async () => {
        const other = await driver.open()
        const { measuring } = other
        for (const [each, at] of [january, later(january, hour)].entries()) {
          await holdPartition(other, each)
          await measuring.heartbeat([{ partition: each, epoch: 1, next: 0, at, ran: 0 }])
        }
        await measuring.halt(0, 1, 'a reason')
        await haltedFor(other, 0, 14)
        expect(await measuring.watermark()).toBe(january)
        await haltedFor(other, 0, 1)
        expect(await measuring.watermark()).toBe(later(january, hour))
        expect((await measuring.checkpoints()).map(({ leftOut }) => leftOut)).toEqual([true, false])
        await other.drop()
      })
    })

    testNamespaces({ ...desk, store: () => store })

    test('routes of customers come with the version that they had; unknown ones are left out', async () => {
      const { businessId, mode, customerId } = await account()
      const keys = [
        { businessId, mode, customerId },
        { businessId, mode, customerId: 'cus_none' },
      ]
      expect(await store.measuring.routes(keys)).toEqual([
        { businessId, mode, customerId, version: 1, stamp: 0, routes: [] },
      ])
      expect(await store.measuring.routes([])).toEqual([])
    })
  })
}

/** So many minutes pass. */
const haltedFor = ({ db }: ScratchStore, partition: number, minutes: number) =>
  db.query({
    text: `update checkpoints set halted_at = halted_at - $1::integer * interval '1 minute'
      where partition = $2`,
    values: [minutes, partition],
  })
