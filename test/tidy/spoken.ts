import type { Spoken } from './dialect.ts'

// Names in snake_case outside of wire and the drivers, and why they may stand there.
export const spoken: readonly Spoken[] = [
  {
    why: 'A line of the event log: parsed in workers, once for every event, and read as it is.',
    names: ['business_id', 'customer_id', 'event_id', 'event_name'],
    files: [
      'src/operations/events/fold-again.ts',
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
      ...['manual_adjustment', 'manual_credit', 'manual_debit', 'not_equals', 'not_yet_created'],
      ...['one_time', 'overage_charged', 'overage_reset', 'plan_change_grant'],
      ...['rollover_forfeited', 'usage_deducted', 'usage_returned'],
    ],
    files: [
      'src/rules/explain/entry-rules.ts',
      'src/rules/explain/grant.ts',
      'src/rules/explain/meter-outcome.ts',
      'src/rules/facts/ledger-facts.ts',
      'src/rules/meter/filter.ts',
    ],
  },
  {
    why: 'What an entry was decided by: the ledger keeps it, and explanations show it, as it is.',
    names: [
      ...['credits_amount', 'cycle_left_us', 'cycle_start_us', 'cycle_us', 'dropped_in_cycle'],
      ...['ended_by', 'ended_us', 'grant_id', 'in_trial', 'meter_id', 'parent_grant_id'],
      ...['payment_id', 'previous_product_id', 'proration_behavior', 'proration_billing_mode'],
      ...['rollover_count', 'route_id', 'subscription_id', 'worth_after', 'worth_at_base'],
      'worth_before',
    ],
    files: [
      'src/operations/explain/explain-ledger.ts',
      'src/operations/verify/fold.ts',
      'src/rules/accounts/cycle-end.ts',
      'src/rules/accounts/early-end.ts',
      'src/rules/accounts/ending.ts',
      'src/rules/accounts/rollover.ts',
      'src/rules/accounts/settle.ts',
      'src/rules/commerce/subscriptions/cycle-grant.ts',
      'src/rules/commerce/subscriptions/end-of-cycle.ts',
      'src/rules/commerce/subscriptions/plan-change-commands.ts',
      'src/rules/explain/amount-words.ts',
      'src/rules/explain/entry.ts',
    ],
  },
]
