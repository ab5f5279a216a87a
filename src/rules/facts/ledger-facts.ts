import type { WebhookEventType } from './webhook-event-types.ts'

/**
 * Kinds of ledger entries, and the fact that each is told as; null: it is not told.
 * [resources#ledger-entries]
 */
const facts = {
  credit_added: 'credit.added',
  credit_deducted: 'credit.deducted',
  credit_expired: 'credit.expired',
  credit_rolled_over: 'credit.rolled_over',
  rollover_forfeited: 'credit.rollover_forfeited',
  overage_charged: 'credit.overage_charged',
  overage_reset: 'credit.overage_reset',
  auto_top_up: null,
  manual_adjustment: 'credit.manual_adjustment',
  refund: null,
} as const satisfies Record<string, WebhookEventType | null>

export type CreditTransactionType = keyof typeof facts

export const creditTransactionTypes: readonly CreditTransactionType[] = Object.keys(facts).filter(
  (name): name is CreditTransactionType => Object.hasOwn(facts, name),
)

/**
 * The facts that one ledger entry is told as, in the order of telling. A manual debit is told as an
 * adjustment and as a deduction. [meters#falling-usage, webhooks#kinds]
 */
export function factTypesOf(entry: {
  readonly transactionType: CreditTransactionType
  readonly isCredit: boolean
}): readonly WebhookEventType[] {
  const { transactionType, isCredit } = entry
  if (transactionType === 'manual_adjustment' && !isCredit) {
    return ['credit.manual_adjustment', 'credit.deducted']
  }
  const fact = facts[transactionType]
  return fact === null ? [] : [fact]
}
