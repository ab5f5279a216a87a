import type { InputName, RecordedInputs } from '../rules/accounts/cause.ts'

/** Inputs as explanations show them; times and lengths in microseconds. */
export const inputsView = (inputs: RecordedInputs | null): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(inputs ?? {}).map(([name, value]) => [shownNames[name as InputName], value]),
  )

const shownNames: Readonly<Record<InputName, string>> = {
  rule: 'rule',
  amount: 'amount',
  behavior: 'behavior',
  billingMode: 'proration_billing_mode',
  creditsAmount: 'credits_amount',
  cycle: 'cycle_us',
  cycleAt: 'cycle_start_us',
  cycleLeft: 'cycle_left_us',
  droppedInCycle: 'dropped_in_cycle',
  endedAt: 'ended_us',
  endedBy: 'ended_by',
  grantId: 'grant_id',
  inTrial: 'in_trial',
  measured: 'measured',
  meterId: 'meter_id',
  overage: 'overage',
  parentGrantId: 'parent_grant_id',
  paymentId: 'payment_id',
  percentage: 'percentage',
  previousProductId: 'previous_product_id',
  prorationBehavior: 'proration_behavior',
  quantity: 'quantity',
  refundId: 'refund_id',
  rolloverCount: 'rollover_count',
  routeId: 'route_id',
  subscriptionId: 'subscription_id',
  unused: 'unused',
  worthAfter: 'worth_after',
  worthAtBase: 'worth_at_base',
  worthBefore: 'worth_before',
}
