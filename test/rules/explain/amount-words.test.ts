import { describe, expect, it } from 'vitest'
import { amountWords } from '../../../src/rules/explain/amount-words.ts'

const grant = { initial: '5.00' }
const prorated = {
  rule: 'plan_change_grant',
  credits_amount: '10.5',
  quantity: 5,
  cycle_left_us: 20,
  cycle_us: 30,
}

describe('the arithmetic of an amount', () => {
  it.each<readonly [Readonly<Record<string, unknown>>, string, string]>([
    [
      { rule: 'cycle_grant', credits_amount: '10.5', quantity: 3 },
      '31.5',
      'Credits: 10.5 × 3 = 31.5.',
    ],
    [
      { rule: 'cycle_grant', credits_amount: '12.5', quantity: 2 },
      '25.00',
      'Credits: 12.5 × 2 = 25.',
    ],
    [
      { ...prorated, proration_behavior: 'prorate' },
      '35',
      "Credits: 10.5 × 5 × 20 µs left ÷ 30 µs of the cycle = 35, cut to the credit's precision.",
    ],
    [{ ...prorated, proration_behavior: 'no_prorate' }, '52.5', 'Credits: 10.5 × 5 = 52.5.'],
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
    const old = { rule: inputs['rule'], proration_behavior: inputs['proration_behavior'] }
    expect(amountWords({ inputs: old, amount }, grant)).toEqual([])
  })

  it('says how often a forfeited grant had rolled over', () => {
    const inputs = { rule: 'rollover_forfeited', rollover_count: 2 }
    expect(amountWords({ inputs, amount: '17' }, grant)).toEqual([
      'It had rolled over 2 times, which is as often as it may.',
    ])
  })

  it('is nothing where a rule takes what is there', () => {
    expect(amountWords({ inputs: { rule: 'expiry' }, amount: '1' }, grant)).toEqual([])
    expect(amountWords({ inputs: {}, amount: '1' }, null)).toEqual([])
  })
})
