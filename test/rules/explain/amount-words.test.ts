import { describe, expect, it } from 'vitest'
import type { RecordedInputs } from '../../../src/rules/accounts/cause.ts'
import { amountWords } from '../../../src/rules/explain/amount-words.ts'

const grant = { initial: '5.00' }
const prorated = {
  rule: 'plan_change_grant' as const,
  creditsAmount: '10.5',
  quantity: 5,
  cycleLeft: 20,
  cycle: 30,
}

describe('the arithmetic of an amount', () => {
  it.each<readonly [RecordedInputs, string, string]>([
    [
      { rule: 'cycle_grant', creditsAmount: '10.5', quantity: 3 },
      '31.5',
      'Credits: 10.5 × 3 = 31.5.',
    ],
    [
      { rule: 'cycle_grant', creditsAmount: '12.5', quantity: 2 },
      '25.00',
      'Credits: 12.5 × 2 = 25.',
    ],
    [
      { ...prorated, prorationBehavior: 'prorate' },
      '35',
      "Credits: 10.5 × 5 × 20 µs left ÷ 30 µs of the cycle = 35, cut to the credit's precision.",
    ],
    [{ ...prorated, prorationBehavior: 'no_prorate' }, '52.5', 'Credits: 10.5 × 5 = 52.5.'],
    [
      { rule: 'credit_rolled_over', unused: '69.5', percentage: 50 },
      '34.75',
      "Rolled over: 69.5 × 50 ÷ 100 = 34.75, cut to the credit's precision; the other 34.75 stay behind.",
    ],
    [
      { rule: 'auto_repayment', overage: '2.00' },
      '2.00',
      "Repaid: the smaller of the new grant's 5 and the overage of 2, 2.",
    ],
  ])('follows from the inputs %j', (inputs, amount, words) => {
    expect(amountWords({ inputs, amount }, grant)).toEqual([words])
    // An entry that lacks them.
    const { rule } = inputs
    expect(amountWords({ inputs: { rule }, amount }, grant)).toEqual([])
    const old = { rule: 'plan_change_grant', prorationBehavior: 'prorate' } as const
    expect(amountWords({ inputs: old, amount }, grant)).toEqual([])
  })

  it('says how often a forfeited grant had rolled over', () => {
    const inputs = { rule: 'rollover_forfeited', rolloverCount: 2 } as const
    expect(amountWords({ inputs, amount: '17' }, grant)).toEqual([
      'It had rolled over 2 times, which is as often as it may.',
    ])
  })

  it('is nothing where a rule takes what is there', () => {
    expect(amountWords({ inputs: { rule: 'expiry' }, amount: '1' }, grant)).toEqual([])
    expect(amountWords({ inputs: null, amount: '1' }, null)).toEqual([])
  })
})
