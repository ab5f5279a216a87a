import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancelScheduledChange } from '../../../src/operations/subscriptions/cancel-scheduled-change.ts'
import { changePlan } from '../../../src/operations/subscriptions/change-plan.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Price } from '../../../src/rules/commerce/catalog/price.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, hour, after as later, minute } from '../../../src/std/instant.ts'
import { productOf } from '../../rules/commerce/payments/purchases.ts'
import { holdPartition } from '../../support/store/hold-partition.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import {
  atMoment,
  february,
  instantAt,
  january,
  measuredOf,
  scratchStore,
  sliceOf,
} from '../../support/store/scratch-store.ts'
import { good, subscribed, untilThen } from './subscribing.ts'

let store: ScratchStore
let offset = 0
beforeAll(async () => {
  store = await scratchStore()
  await holdPartition(store, 0)
})
afterAll(() => store.drop())

const payOnce = '4000000000000341'
const march = instantAt('2026-03-01T00:00:00Z')

/** Somebody on a monthly plan with one meter, and a weekly plan beside it with another meter. */
async function metered(pricePerUnit: string | null, card = good) {
  const one = await subscribed(store, { card, metered: [{ meterId: 'mtr_old', pricePerUnit }] })
  const { customerId, entitlementId, product, scope, subscriptionId } = one
  const week = { count: 1, interval: 'Week' } as const
  const { price } = product
  if (price.type !== 'usage_based_price') throw new Error('A plan without a meter.')
  const meters = price.meters.map((meter) => ({ ...meter, meterId: 'mtr_new' }))
  const other = productOf(store.newId('pdt'), { ...price, frequency: week, meters } as Price, {
    creditEntitlements: product.creditEntitlements,
  })
  await store.changes.commit(rowAlone(scope, { noun: 'product', expected: null, row: other }))
  const change = (at: Instant, productId: string, waits: boolean) =>
    changePlan(atMoment(at, store), scope, {
      subscriptionId,
      productId,
      quantity: 1,
      mode: 'full_immediately',
      addons: [],
      discountCodes: null,
      waits,
      replaces: true,
      onFailure: null,
      metadata: null,
    })
  const linked = pricePerUnit === null ? entitlementId : ''
  return {
    ...one,
    other,
    found: () => one.subscription(subscriptionId),
    change,
    schedule: (at: Instant) => change(at, other.productId, true),
    unschedule: (at: Instant) => cancelScheduledChange(atMoment(at, store), scope, subscriptionId),
    until: (at: Instant) => untilThen(atMoment(at, store), scope, at),
    update: (patch: object, at: Instant) =>
      updateSubscription(atMoment(at, store), scope, { subscriptionId, patch }),
    use: async (meterId: string, of: { readonly cycleAt: Instant; readonly at: Instant }) => {
      const { at, cycleAt } = of
      const slice = sliceOf({ start: offset })
      offset = slice.end
      const customer = { ...scope, customerId }
      const increment = {
        ...customer,
        routeId: subscriptionId,
        entitlementId: linked,
        meterId,
        cycleAt,
        segmentAt: cycleAt,
        logHour: Math.floor(at / hour),
        aggregation: 'sum',
        events: 1,
        value: '100',
        lastAt: at,
        lastReceived: at,
        lastEventId: `evt_${offset}`,
      } as const
      const accounts = linked === '' ? [] : [{ ...customer, entitlementId }]
      const measured = measuredOf({ slices: [slice], usage: [increment], accounts })
      expect(await store.measuring.commit(measured)).toMatchObject({ kind: 'committed' })
    },
  }
}

const newMeter = expect.objectContaining({ meterId: 'mtr_new' })

describe('a plan that was scheduled and is taken back [subscriptions#plan-changes]', () => {
  it('leaves its terms to what was measured ahead of its time, also once they are old', async () => {
    const one = await metered(null)
    const { productId } = one.product
    await one.change(later(january, day), productId, false)
    const { nextBillingDate: end } = await one.found()
    await one.schedule(later(january, 5 * day))
    await one.use('mtr_new', { cycleAt: end, at: later(end, 2 * minute) })
    await one.unschedule(later(end, -minute))
    const held = (await one.found()).stretches
    expect(held.map(({ withdrawn }) => withdrawn)).toEqual([undefined, [newMeter]])
    await one.until(later(end, hour))
    expect((await one.found()).previousBillingDate).toBe(end)
    const { customerId, entitlementId, scope, subscriptionId } = one
    const before = await one.found()
    const [first, taking] = before.stretches
    if (first === undefined || taking === undefined) throw new Error('Nothing was kept.')
    // Another one behind it, which holds at the end and has not got its terms.
    const { withdrawn: _, ...bare } = taking
    const behind = { ...bare, from: later(taking.from, day) }
    const over = [
      { stretch: taking, end },
      { stretch: behind, end },
    ]
    const row = { ...before, stretches: [first], version: before.version + 1 }
    const change = { noun: 'subscription', expected: before.version, row, over } as const
    await store.changes.commit(rowAlone(scope, change))
    const [old] = await store.db.query<{ stretches: readonly object[] }>(sql`
      select old_stretches_of(${scope.businessId}, ${scope.mode}, ${customerId}, ${entitlementId},
        ${subscriptionId}, true) as stretches`)
    const newOne = expect.objectContaining({ meter_id: 'mtr_new' })
    expect(old?.stretches).toContainEqual(expect.objectContaining({ withdrawn: [newOne] }))
  })

  it('is forgotten long before its time', async () => {
    const one = await metered(null)
    const { stretches } = await one.found()
    await one.schedule(later(january, 5 * day))
    await one.unschedule(later(january, 6 * day))
    expect((await one.found()).stretches).toEqual(stretches)
  })
})

describe('a plan that is scheduled while a pause is to be paid [subscriptions#dunning]', () => {
  it('waits for the first renewal that is charged, and the plan before it goes on', async () => {
    const one = await metered('2.5', payOnce)
    await one.schedule(later(january, 5 * day))
    await one.use('mtr_old', { cycleAt: january, at: later(january, 6 * day) })
    await one.update({ status: 'paused' }, later(january, 25 * day))
    expect(await one.found()).toMatchObject({ status: 'on_hold', nextBillingDate: february })
    await one.until(later(february, hour))
    const held = await one.found()
    expect(held).toMatchObject({
      status: 'on_hold',
      productId: one.product.productId,
      previousBillingDate: february,
      nextBillingDate: march,
      scheduled: { plan: { productId: one.other.productId } },
    })
    expect(held.stretches.map(({ from, links }) => [from, links[0]?.meterId])).toEqual([
      [january, 'mtr_old'],
      [march, 'mtr_new'],
    ])
    await one.update({ status: 'active' }, later(february, day))
    await one.until(later(march, minute))
    const begun = {
      productId: one.other.productId,
      scheduled: null,
      nextBillingDate: later(march, 7 * day),
    }
    expect(await one.found()).toMatchObject(begun)
  })
})
