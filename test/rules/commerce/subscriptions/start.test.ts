import { describe, expect, it } from 'vitest'
import type { Price } from '../../../../src/rules/commerce/catalog/price.ts'
import type { Started } from '../../../../src/rules/commerce/subscriptions/start.ts'
import { startSubscription } from '../../../../src/rules/commerce/subscriptions/start.ts'
import type { Instant } from '../../../../src/std/instant.ts'
import { day, instantOf } from '../../../../src/std/instant.ts'
import type { PlanCredits, Settings } from '../../../model/billing/program.ts'
import { nothingOverridden } from '../../../model/billing/program.ts'
import { entitlementFor, plainProgram, productFor } from '../../../support/billing/catalog.ts'

const begin = instantOf(1_770_000_000_000_000)
const at = (days: number): Instant => instantOf(begin + days * day)

const recurring: Price = {
  type: 'recurring_price',
  currency: 'USD',
  price: 1_000,
  discount: 0,
  purchasingPowerParity: false,
  taxInclusive: null,
  frequency: { count: 30, interval: 'Day' },
  period: { count: 1, interval: 'Year' },
  trialPeriodDays: 0,
  trialAmount: null,
  trialApplyDiscounts: false,
}

interface Terms {
  readonly credits?: Partial<PlanCredits>
  readonly entitlement?: Partial<Settings>
  readonly trialDays?: number
  readonly quantity?: number
}

/** Of an entitlement of 1 decimal and a plan of 10 credits each 30 days. */
function started(terms: Terms): Started {
  const { credits, entitlement, trialDays = 0, quantity = 1 } = terms
  const rates = { a: null, b: null }
  const program = {
    entitlement: { ...plainProgram.entitlement, ...entitlement },
    defaults: rates,
    plans: [],
    steps: [],
    aggregations: { a: 'sum', b: 'sum' } as const,
  }
  const cycle = { count: 30, interval: 'Day' } as const
  const given = { amount: 100, trialAmount: null, trialExpires: false, prorates: false }
  const plan = {
    cycle,
    periodDays: 365,
    rates,
    credits: { ...given, overrides: nothingOverridden },
  }
  const product = productFor(
    { ...plan, credits: { ...plan.credits, ...credits } },
    {
      entitlementId: 'cde_1',
      newId: (prefix) => `${prefix}_1`,
      scope: { businessId: 'bus_1', mode: 'test' },
    },
  )
  const answer = startSubscription({
    addons: [],
    product: { ...product, price: recurring },
    entitlements: new Map([['cde_1', entitlementFor('cde_1', program, begin)]]),
    quantity,
    trialPeriodDays: trialDays,
    at: begin,
  })
  if ('problem' in answer) throw new Error(answer.problem)
  return answer
}

const grantsOf = (terms: Terms) =>
  started(terms).grants.map(({ amount, cycleAt, expiresAt }) => [amount, cycleAt, expiresAt])

describe('the first credits of a subscription [credits#grants]', () => {
  it('are the whole amount, times quantity, of the cycle that begins', () => {
    expect(grantsOf({})).toEqual([[100n, begin, null]])
    expect(grantsOf({ quantity: 3 })).toEqual([[300n, begin, null]])
  })

  it('expire by the entitlement’s days, or the mapping’s own [resources#attached-credits]', () => {
    const entitlement = { expiresAfterDays: 12 }
    expect(grantsOf({ entitlement })).toEqual([[100n, begin, at(12)]])
    const overrides = { ...nothingOverridden, expiresAfterDays: 7 }
    expect(grantsOf({ entitlement, credits: { overrides } })).toEqual([[100n, begin, at(7)]])
  })
})

it('without a trial has one stretch, from its first moment on', () => {
  const { stretches, nextBillingDate } = started({})
  const frequency = { count: 30, interval: 'Day' }
  expect(stretches).toEqual([{ from: begin, anchor: begin, frequency, links: [] }])
  expect(nextBillingDate).toBe(at(30))
})

describe('a trial [credits#grants, subscriptions#trials]', () => {
  it('is a cycle of its own, after which the paid ones are counted', () => {
    const { stretches, nextBillingDate } = started({ trialDays: 7 })
    expect(nextBillingDate).toBe(at(7))
    expect(stretches.map(({ from, anchor }) => [from, anchor])).toEqual([
      [begin, begin],
      [at(7), at(7)],
    ])
  })

  it('issues trial credits instead of the amount, and none where there are none', () => {
    expect(grantsOf({ trialDays: 7 })).toEqual([])
    expect(grantsOf({ trialDays: 7, credits: { trialAmount: 0 } })).toEqual([])
    expect(grantsOf({ trialDays: 7, credits: { trialAmount: 25 }, quantity: 2 })).toEqual([
      [50n, at(7), null],
    ])
  })

  it('takes its credits along only if they expire with it', () => {
    const credits = { trialAmount: 25, trialExpires: true }
    expect(grantsOf({ trialDays: 14, credits })).toEqual([[25n, begin, at(14)]])
    const entitlement = { expiresAfterDays: 7 }
    expect(grantsOf({ trialDays: 14, credits, entitlement })).toEqual([[25n, begin, at(7)]])
    const longer = { expiresAfterDays: 40 }
    expect(grantsOf({ trialDays: 14, credits, entitlement: longer })).toEqual([
      [25n, begin, at(14)],
    ])
  })

  it('charges its own amount first, which may be nothing [subscriptions#cycles]', () => {
    expect(started({ trialDays: 7 }).firstCharge).toBe(0)
    expect(started({}).firstCharge).toBe(1_000)
  })
})
