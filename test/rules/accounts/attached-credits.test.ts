import { describe, expect, it } from 'vitest'
import { termsOf } from '../../../src/rules/accounts/attached-credits.ts'
import { item } from '../commerce/subscriptions/subscribed.ts'

describe('the terms of a cart’s item [resources#attached-credits]', () => {
  it('are its settings, in exact quantities of the precision', () => {
    const own = item('cde_1', {
      creditsAmount: '12.5',
      expiresAfterDays: 9,
      lowBalanceThresholdPercent: 20,
      rolloverEnabled: true,
      rolloverPercentage: 75,
      maxRolloverCount: 3,
      rolloverTimeframeCount: 2,
      rolloverTimeframeInterval: 'Week',
      overageEnabled: true,
      overageLimit: '0.5',
      overageBehavior: 'carry_deficit',
      trialCredits: '1.25',
      trialCreditsExpireAfterTrial: true,
    })
    expect(termsOf(own, 2)).toEqual({
      entitlementId: 'cde_1',
      amount: 1_250n,
      expiresAfterDays: 9,
      lowBalancePercent: 20,
      overage: { enabled: true, limit: 50n, behavior: 'carry_deficit' },
      rollover: {
        enabled: true,
        percentage: 75,
        countMax: 3,
        timeframe: { count: 2, interval: 'Week' },
      },
      trial: { amount: 125n, expireAfterTrial: true },
    })
  })

  it('leave out what is not set', () => {
    expect(termsOf(item('cde_1', { rolloverEnabled: false }), 0)).toEqual({
      entitlementId: 'cde_1',
      amount: 100n,
      expiresAfterDays: null,
      lowBalancePercent: null,
      overage: { enabled: false, limit: null, behavior: 'forgive_at_reset' },
      rollover: { enabled: false, percentage: null, timeframe: null, countMax: null },
      trial: { amount: null, expireAfterTrial: false },
    })
    const half = [{ rolloverTimeframeCount: 2 }, { rolloverTimeframeInterval: 'Day' as const }]
    for (const part of half) {
      expect(termsOf(item('cde_1', part), 0).rollover.timeframe).toBeNull()
    }
  })

  it('are cut where they are finer than the precision', () => {
    const fine = item('cde_1', {
      creditsAmount: '1.999',
      trialCredits: '0.0009',
      overageLimit: '2.55',
    })
    const terms = termsOf(fine, 1)
    expect([terms.amount, terms.trial.amount, terms.overage.limit]).toEqual([19n, 0n, 25n])
  })
})
