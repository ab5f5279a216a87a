import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endOf } from '../../../../src/rules/commerce/billing-dates.ts'
import { prorationModes } from '../../../../src/rules/commerce/proration-mode.ts'
import {
  billedAt,
  cancelled,
  expired,
  paused,
  resumed,
} from '../../../../src/rules/commerce/subscriptions/lifecycle.ts'
import {
  changedPlan,
  chargeOf,
  restOf,
  scheduledPlan,
  unscheduledPlan,
} from '../../../../src/rules/commerce/subscriptions/plan-change.ts'
import { itemsOf, renewed } from '../../../../src/rules/commerce/subscriptions/renewal.ts'
import { notCancelled } from '../../../../src/rules/commerce/subscriptions/subscription.ts'
import { date, on, plan, running } from './subscribed.ts'

const scheduled = {
  id: 'spc_1',
  createdAt: on('2026-04-10'),
  productName: 'Two',
  productDescription: null,
  plan,
  discounts: null,
  metadata: null,
}
const half = restOf({ start: on('2026-03-31'), end: on('2026-04-30') }, on('2026-04-15'))

describe('the charge of a plan change [resources#subscriptions]', () => {
  it('at half of 30 days from 30 to 80 is 25, 50, 80 or nothing', () => {
    const charges = prorationModes.map((mode) => chargeOf(mode, { from: 30, to: 80 }, half))
    expect(charges).toEqual([25, 80, 50, 0])
  })

  it('below 0 is owed to the customer', () => {
    expect(chargeOf('prorated_immediately', { from: 80, to: 30 }, half)).toBe(-25)
    expect(chargeOf('difference_immediately', { from: 80, to: 30 }, half)).toBe(-50)
    // Half up, also below 0: −1.5 is −1.
    expect(chargeOf('prorated_immediately', { from: 3, to: 0 }, { left: 1n, of: 2n })).toBe(-1)
  })

  it('rounds half up, as a fraction says', () => {
    const amounts = fc.integer({ min: -10_000, max: 10_000 })
    const parts = fc.tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 1, max: 999 }))
    fc.assert(
      fc.property(amounts, parts, (to, [left, of]) => {
        const rest = { left: BigInt(left), of: BigInt(of) }
        const charge = chargeOf('prorated_immediately', { from: 0, to }, rest)
        // charge − ½ ≤ exact < charge + ½, without division.
        expect((2 * charge - 1) * of <= 2 * to * left).toBe(true)
        expect(2 * to * left < (2 * charge + 1) * of).toBe(true)
      }),
    )
  })

  it('finds nothing left of a cycle whose end is due', () => {
    const cycle = { start: on('2026-03-31'), end: on('2026-04-30') }
    expect(restOf(cycle, on('2026-05-02')).left).toBe(0n)
  })
})

describe('a changed plan', () => {
  it('begins a new cycle where it is billed, which ends all of the old one [subscriptions#plan-changes]', () => {
    const at = on('2026-04-15')
    const changed = changedPlan(running, plan, { mode: 'prorated_immediately', at })
    expect(
      [changed.previousBillingDate, changed.nextBillingDate, changed.expiresAt].map(date),
    ).toEqual(['2026-04-15', '2026-05-15', '2027-04-15'])
    expect(changed).toMatchObject({ productId: 'pdt_2', quantity: 2, version: 8 })
    // What it rolled over ends with the cycle that begins.
    expect(changed.leaving.map((each) => each.creditEntitlementId)).toEqual(['cde_1'])
    expect(itemsOf(running, changed).map(({ entitlementId }) => entitlementId)).toEqual([
      ...['cde_1', 'cde_2', 'cde_3'],
    ])
  })

  it('keeps what it no longer carries until a cycle that goes on ends', () => {
    const changed = changedPlan(running, plan, { mode: 'do_not_bill', at: on('2026-04-15') })
    expect(changed.leaving.map((each) => each.creditEntitlementId)).toEqual(['cde_1'])
    const after = renewed(changed, on('2026-04-30'))
    expect(
      itemsOf(changed, after).map(({ entitlementId, ending, next }) => [
        entitlementId,
        ending?.rolloverEnabled,
        next !== null,
      ]),
    ).toEqual([
      ['cde_2', true, true],
      ['cde_3', true, true],
      ['cde_1', false, false],
    ])
    expect(after.leaving).toEqual([])
  })

  it('keeps its dates where nothing is billed', () => {
    const changed = changedPlan(running, plan, { mode: 'do_not_bill', at: on('2026-04-15') })
    const { previousBillingDate, nextBillingDate, expiresAt } = running
    expect(changed).toMatchObject({ previousBillingDate, nextBillingDate, expiresAt })
    // Still counted from the 31st.
    expect(date(renewed(changed, on('2026-04-30')).nextBillingDate)).toBe('2026-05-31')
  })

  it('forgets what leaves when it is carried again', () => {
    const at = on('2026-04-15')
    const away = changedPlan(running, plan, { mode: 'do_not_bill', at })
    const back = changedPlan(away, { ...plan, cart: running.cart }, { mode: 'do_not_bill', at })
    expect(back.leaving.map((each) => each.creditEntitlementId)).toEqual(['cde_3'])
  })

  it('can wait for the end of the cycle, and be taken back', () => {
    const waiting = scheduledPlan(running, scheduled, on('2026-04-10'))
    expect(waiting).toMatchObject({ productId: 'pdt_1', scheduled: { id: 'spc_1' } })
    const after = renewed(waiting, on('2026-04-30'))
    expect(after).toMatchObject({
      productId: 'pdt_2',
      quantity: 2,
      scheduled: null,
      status: 'active',
    })
    expect([after.previousBillingDate, after.nextBillingDate, after.expiresAt].map(date)).toEqual([
      ...['2026-04-30', '2026-05-30', '2027-04-30'],
    ])
    expect(after.leaving.map((each) => each.creditEntitlementId)).toEqual(['cde_1'])
    expect(itemsOf(waiting, after).map(({ entitlementId }) => entitlementId)).toEqual([
      ...['cde_1', 'cde_2', 'cde_3'],
    ])
    const taken = unscheduledPlan(waiting, on('2026-04-11'))
    expect(taken.stretches).toEqual(running.stretches)
    expect(taken).toMatchObject({ scheduled: null, version: waiting.version + 1 })
    expect(date(taken.updatedAt)).toBe('2026-04-11')
  })
})

describe('the end of a cycle [resources#subscriptions]', () => {
  it('cancels what asked for it, whatever else waits', () => {
    const asked = scheduledPlan(
      { ...running, cancellation: { ...notCancelled, scheduled: true } },
      scheduled,
      on('2026-04-10'),
    )
    const over = renewed(asked, on('2026-05-01'))
    expect(over).toMatchObject({ status: 'cancelled', productId: 'pdt_1', scheduled: null })
    expect([over.cancelledAt, over.ended].map(date)).toEqual(['2026-04-30', '2026-05-01'])
    expect(itemsOf(asked, over).every(({ next }) => next === null)).toBe(true)
  })

  it('comes at its date, or at the end of the period in the middle of it [subscriptions#endings]', () => {
    expect(date(endOf(running))).toBe('2026-04-30')
    expect(date(endOf({ ...running, expiresAt: on('2026-04-12') }))).toBe('2026-04-12')
    expect(date(endOf({ ...running, expiresAt: null }))).toBe('2026-04-30')
    const now = { at: on('2026-04-12'), log: on('2026-04-13') }
    const over = expired(scheduledPlan(running, scheduled, on('2026-04-10')), now)
    expect(over).toMatchObject({
      status: 'expired',
      scheduled: null,
      version: 9,
      cancelledAt: null,
    })
    expect([over.updatedAt, over.ended, over.nextBillingDate].map(date)).toEqual([
      ...['2026-04-12', '2026-04-13', '2026-04-30'],
    ])
  })

  it('expires what has run for its period', () => {
    const over = renewed({ ...running, expiresAt: on('2026-04-30') }, on('2026-04-30'))
    expect(over).toMatchObject({ status: 'expired', nextBillingDate: running.nextBillingDate })
    const endless = renewed({ ...running, expiresAt: null }, on('2026-04-30'))
    expect(endless).toMatchObject({ status: 'active', ended: null, expiresAt: null })
  })
})

describe('a pause [resources#subscriptions]', () => {
  it('shifts what comes by its length, and is a range of log time', () => {
    const still = paused(running, { at: on('2026-04-10'), log: on('2020-01-01') })
    expect(still).toMatchObject({ status: 'paused', nextBillingDate: running.nextBillingDate })
    const again = resumed(still, { at: on('2026-06-09'), log: on('2020-01-02') })
    expect([again.nextBillingDate, again.expiresAt].map(date)).toEqual(['2026-06-29', '2027-04-01'])
    expect(again.pauses).toEqual([{ from: on('2020-01-01'), to: on('2020-01-02') }])
    expect(again).toMatchObject({ status: 'active', pausedAt: null })
    expect(date(renewed(again, on('2026-06-29')).nextBillingDate)).toBe('2026-07-29')
  })

  it('can end in a cancellation', () => {
    const still = paused(running, { at: on('2026-04-10'), log: on('2020-01-01') })
    const over = cancelled(still, { at: on('2026-04-11'), log: on('2020-01-02') })
    expect(over).toMatchObject({ status: 'cancelled', pausedAt: null, ended: on('2020-01-02') })
  })
})

it('another billing date ends the cycle there, and the later ones are counted from it', () => {
  const moved = billedAt(running, on('2026-05-20'), on('2026-04-10'))
  expect(date(renewed(moved, on('2026-05-20')).nextBillingDate)).toBe('2026-06-20')
})
