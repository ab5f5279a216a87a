import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSettling } from '../../../src/engine/settling.ts'
import { openBoundarySweep } from '../../../src/engine/sweeps/boundaries.ts'
import { adjustBalance } from '../../../src/operations/accounts/adjust-balance.ts'
import { boundaries } from '../../../src/parts/store/postgres/accounts/boundaries.ts'
import type { AccountKey } from '../../../src/rules/accounts/view.ts'
import { after as later, minute } from '../../../src/std/instant.ts'
import { clockOf } from '../../support/runtime/clock.ts'
import { rememberingLogger } from '../../support/runtime/logger.ts'
import { holdPartition } from '../../support/store/hold-partition.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import {
  atMoment,
  february,
  january,
  measuredOf,
  scratchStore,
  sliceOf,
} from '../../support/store/scratch-store.ts'
import { incrementOf } from '../../support/store/usage.ts'

describe('a cycle end that a halted partition stands before', () => {
  let store: ScratchStore
  let key: AccountKey
  const logger = rememberingLogger()
  const clock = clockOf(() => later(february, minute))

  beforeAll(async () => {
    store = await scratchStore()
    const scope = await store.business()
    const entitlementId = await store.entitlement(scope)
    key = { ...scope, customerId: await store.customer(scope), entitlementId }
    await adjustBalance(atMoment(january, store), {
      key,
      type: 'credit',
      amount: '100',
      reason: null,
      expiresAt: null,
      idempotencyKey: null,
      metadata: null,
    })
    // All of partition 1 is measured, and partition 0 has something from before the cycle's end.
    for (const partition of [0, 1]) await holdPartition(store, partition)
    await store.measuring.heartbeat([{ partition: 0, epoch: 1, next: 0, at: january, ran: 0 }])
    await store.measuring.heartbeat([{ partition: 1, epoch: 1, next: 0, at: clock.now(), ran: 0 }])
    await store.measuring.halt(0, 1, 'record 7 is not the one that was measured')
  })
  afterAll(() => store.drop())

  const viewOf = async () => (await store.accounts.load([key]))[0]
  const passed = (minutes: number) =>
    store.db.query({
      text: `update checkpoints set halted_at = halted_at - $1::integer * interval '1 minute'`,
      values: [minutes],
    })
  const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 30_000 })
  const alarms = () => logger.told.filter(({ level }) => level === 'error')

  it('waits 15 minutes for it, is applied then with an alarm, and its usage is late usage', async () => {
    const watermark = vi.fn(store.measuring.watermark)
    const sweep = openBoundarySweep({
      ...store,
      boundaries: boundaries(store.db),
      clock,
      logger,
      onApplied: () => undefined,
      alone: (_, work) => work,
      measuring: { ...store.measuring, watermark },
    })
    await passed(14)
    sweep.start()
    await eventually(() => expect(watermark.mock.settledResults.length).toBeGreaterThan(0))
    sweep.nudge()
    await eventually(() => expect(watermark.mock.calls.length).toBeGreaterThan(1))
    expect((await viewOf())?.stored?.ownCycleAt).toBe(january)
    expect(alarms()).toEqual([])

    await passed(1)
    sweep.nudge()
    await eventually(async () => expect((await viewOf())?.stored?.ownCycleAt).toBe(february))
    sweep.nudge()
    await sweep.stop()
    expect(alarms()).toEqual([
      {
        level: 'error',
        fields: { partition: 0, reason: 'record 7 is not the one that was measured' },
        message: 'boundaries go on without a halted partition: its usage will be late usage',
      },
    ])

    // An operator has looked at it, and it is measured after all.
    await store.db.query({
      text: 'update checkpoints set halted = null, halted_at = null',
      values: [],
    })
    const usage = [incrementOf(key, { cycleAt: january, segmentAt: january, value: '30' })]
    await store.measuring.commit(measuredOf({ slices: [sliceOf({})], usage, accounts: [key] }))
    const settling = openSettling({
      ...store,
      clock,
      logger,
      onSettled: () => undefined,
      share: () => null,
      metrics: { entries: () => undefined, settled: () => undefined, retried: () => undefined },
    })
    settling.start()
    await eventually(async () => expect((await viewOf())?.unsettled).toEqual([]))
    await settling.stop()
    const account = (await viewOf())?.stored?.account
    expect(account?.charges).toMatchObject([{ cycleAt: january, charged: 30n }])
    expect(account?.state.holdings).toMatchObject([{ remaining: 70n, drawn: 30n }])
  })
})
