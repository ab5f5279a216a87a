import { describe, expect, it } from 'vitest'
import type { CartItem } from '../../../../src/rules/accounts/attached-credits.ts'
import { grantOnChange } from '../../../../src/rules/commerce/subscriptions/change-grant.ts'
import type { Rest } from '../../../../src/rules/commerce/subscriptions/plan-change.ts'
import { day, after as later } from '../../../../src/std/instant.ts'
import { january } from '../../../support/store/scratch-store.ts'
import { item, running } from './subscribed.ts'

const at = later(january, 10 * day)
const third = { left: 1n, of: 3n }
const trialEnd = later(january, 14 * day)
const paid = { ...running, previousBillingDate: january, nextBillingDate: trialEnd }
const trial = { ...paid, trialPeriodDays: 14, activatedAt: january }

const issued = (of: Partial<CartItem>, before = paid, quantity = 2, rest: Rest = third) =>
  grantOnChange(
    { before, after: { ...before, quantity, updatedAt: at } },
    { item: item('cde_1', of), precision: 2, rest },
  )

describe('credits of a plan change that keeps the cycle [credits#grants]', () => {
  it('are scaled by what is left, cut to the precision, or are not; times quantity', () => {
    const prorated = issued({ prorationBehavior: 'prorate' })
    expect(prorated).toEqual({
      amount: 6_666n,
      each: 10_000n,
      cycleAt: january,
      expiresAt: null,
    })
    const two = { left: 2n, of: 3n }
    expect(issued({ prorationBehavior: 'prorate' }, paid, 1, two)?.amount).toBe(6_666n)
    expect(issued({})?.amount).toBe(20_000n)
    expect(issued({ creditsAmount: '0.01', prorationBehavior: 'prorate' }, paid, 1)).toBeNull()
    expect(issued({ expiresAfterDays: 7 })?.expiresAt).toBe(later(at, 7 * day))
  })

  it('are trial credits in a trial, or none [subscriptions#trials]', () => {
    expect(issued({}, trial)).toBeNull()
    expect(issued({ trialCredits: '5' })?.amount).toBe(20_000n)
    expect(issued({ trialCredits: '5' }, trial)).toEqual({
      amount: 1_000n,
      each: 500n,
      cycleAt: trialEnd,
      expiresAt: null,
    })
    expect(issued({ trialCredits: '5', prorationBehavior: 'prorate' }, trial)?.amount).toBe(333n)
  })

  it('end with the trial, or sooner, where they are to [subscriptions#trials]', () => {
    const ending = { trialCredits: '5', trialCreditsExpireAfterTrial: true }
    expect(issued(ending, trial)).toMatchObject({ cycleAt: january, expiresAt: trialEnd })
    const long = { ...trial, nextBillingDate: later(january, 40 * day) }
    expect(issued({ ...ending, expiresAfterDays: 7 }, long)?.expiresAt).toBe(later(at, 7 * day))
  })
})
