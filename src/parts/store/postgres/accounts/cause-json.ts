import type { CauseInputs, InputName, RecordedInputs } from '../../../../rules/accounts/cause.ts'

/** How a cause's inputs lie in their jsonb column; statements look for some of them, too. */
export type InputsJson = Readonly<Record<string, unknown>>

const storedNames: Readonly<Record<InputName, string>> = {
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

const namesOf: ReadonlyMap<string, string> = new Map(
  Object.entries(storedNames).map(([name, stored]) => [stored, name]),
)

export const inputsJson = (inputs: CauseInputs | null): InputsJson =>
  Object.fromEntries(
    Object.entries(inputs ?? {}).map(([name, value]) => [storedNames[name as InputName], value]),
  )

/** What no release has ever written is left out; null: no rule is named. */
export function inputsFrom(stored: InputsJson): RecordedInputs | null {
  const known = Object.entries(stored).flatMap(([name, value]) => {
    const own = namesOf.get(name)
    return own === undefined ? [] : [[own, value] as const]
  })
  const inputs = Object.fromEntries(known)
  return 'rule' in inputs ? (inputs as RecordedInputs) : null
}
