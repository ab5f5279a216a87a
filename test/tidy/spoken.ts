import type { Spoken } from './dialect.ts'

// Names in snake_case outside of wire and the drivers, and why they may stand there.
export const spoken: readonly Spoken[] = [
  {
    why: 'A line of the event log: parsed in workers, once for every event, and read as it is.',
    names: ['backfilled_at', 'business_id', 'customer_id', 'event_id', 'event_name'],
    files: [
      'src/operations/events/read-event.ts',
      'src/operations/events/unmeasured.ts',
      'src/operations/explain/walk.ts',
      'src/rules/archive/head.ts',
      'src/rules/archive/line.ts',
      'src/rules/archive/summary.ts',
      'src/rules/meter/lines.ts',
      'src/rules/meter/measure-again.ts',
      'src/rules/meter/measure-rows.ts',
      'src/rules/meter/measure.ts',
      'src/rules/meter/usage-event.ts',
      'src/rules/meter/void.ts',
    ],
  },
  {
    why: 'A choice of the API, or the name of a rule, as the key of a table.',
    names: [
      ...['auto_repayment', 'auto_top_up', 'credit_added', 'credit_deducted', 'credit_expired'],
      ...['credit_rolled_over', 'cycle_end', 'cycle_grant', 'does_not_contain', 'greater_than'],
      ...['greater_than_or_equals', 'last_cycle_end', 'less_than', 'less_than_or_equals'],
      ...['dispute_opened', 'dispute_expired', 'dispute_accepted', 'dispute_cancelled'],
      ...['dispute_challenged', 'dispute_won', 'dispute_lost', 'dispute_fees', 'dispute_reversal'],
      ...['in_progress', 'not_initiated', 'on_hold', 'payment_fees', 'payout_fees'],
      ...['payout_fees_reversal', 'payout_reversal', 'refund_fees'],
      ...['manual_adjustment', 'manual_credit', 'manual_debit', 'not_equals', 'not_yet_created'],
      ...['one_time', 'overage_charged', 'overage_reset', 'payment_refunded', 'plan_change_grant'],
      ...['purchase_grant', 'rollover_forfeited', 'usage_deducted', 'usage_returned'],
    ],
    files: [
      'src/rules/commerce/disputes/dispute.ts',
      'src/rules/commerce/invoices/payout-texts.ts',
      'src/rules/facts/dispute-facts.ts',
      'src/rules/facts/payout-facts.ts',
      'src/rules/explain/entry-rules.ts',
      'src/rules/explain/grant.ts',
      'src/rules/explain/meter-outcome.ts',
      'src/rules/facts/ledger-facts.ts',
      'src/rules/meter/filter.ts',
    ],
  },
]
