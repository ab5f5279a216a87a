import { describe, expect, it } from 'vitest'
import { inputsFrom, inputsJson } from '../../../src/parts/store/postgres/accounts/cause-json.ts'
import type { CauseInputs } from '../../../src/rules/accounts/cause.ts'
import { inputsView } from '../../../src/wire/cause-inputs.ts'

const early = { ended_by: 'plan_change', subscription_id: 'sub_1' }
const usage = {
  rule: 'usage_deducted',
  route_id: 'sub_1',
  meter_id: 'mtr_1',
  cycle_start_us: 7,
  worth_before: '0',
  worth_after: '70',
  worth_at_base: '0',
  dropped_in_cycle: '0',
}
const issued = { rule: 'cycle_grant', credits_amount: '100', quantity: 1 }
const changed = {
  ...issued,
  rule: 'plan_change_grant',
  in_trial: false,
  payment_id: null,
  proration_billing_mode: 'prorated_immediately',
  previous_product_id: 'pdt_1',
}

/** As release 0.1.0 wrote them. */
const kept = [
  usage,
  { ...usage, rule: 'usage_returned', measured: { 0: 2, 1: 4 } },
  { rule: 'manual_credit', amount: '12.345' },
  { rule: 'manual_debit', amount: '100.5' },
  issued,
  { ...issued, ended_us: 9 },
  changed,
  { ...changed, proration_behavior: 'prorate', cycle_left_us: 20, cycle_us: 30 },
  {
    rule: 'credit_rolled_over',
    ended_us: 9,
    parent_grant_id: 'cgr_1',
    ...early,
    percentage: 40,
    unused: '10.5',
  },
  { rule: 'rollover_forfeited', ended_us: 9, rollover_count: 2 },
  { rule: 'cycle_end', ended_us: 9, ...early },
  { rule: 'expiry', grant_id: 'cgr_1' },
  { rule: 'expiry', grant_id: 'cgr_1', ended_us: 9 },
  { rule: 'last_cycle_end', grant_id: 'cgr_1' },
  { rule: 'overage_charged', overage: '5', ...early },
  { rule: 'overage_reset', behavior: 'invoice_at_billing' },
  { rule: 'auto_repayment', overage: '5', grant_id: 'cgr_1', ended_us: 9, ...early },
]

describe("a cause's inputs", () => {
  it.each(kept)('are read, kept and shown as they were stored: %j', (stored) => {
    const inputs = inputsFrom(stored)
    expect(inputs?.rule).toBe(stored.rule)
    expect(inputsJson(inputs as CauseInputs)).toEqual(stored)
    expect(JSON.stringify(inputsView(inputs))).toBe(JSON.stringify(stored))
  })

  it('have names of their own in the rules', () => {
    expect(inputsFrom({ rule: 'expiry', grant_id: 'cgr_1' })).toEqual({
      rule: 'expiry',
      grantId: 'cgr_1',
    })
  })

  it('are none where no rule is named', () => {
    expect(inputsFrom({})).toBeNull()
    expect([inputsJson(null), inputsView(null)]).toEqual([{}, {}])
  })
})
