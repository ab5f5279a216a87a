import type { AccountChange } from '../rules/accounts/change.ts'
import { formatCredits } from '../rules/accounts/credits.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { metadata, nullable, text } from './schemas.ts'

/** [resources#adjustments] */
export interface LedgerAdjustment {
  readonly amount: string
  readonly entry_type: 'credit' | 'debit'
  readonly reason?: string | null
  readonly expires_at?: string | null
  readonly idempotency_key?: string | null
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null
}

export const ledgerAdjustment = schema<LedgerAdjustment>({
  type: 'object',
  required: ['amount', 'entry_type'],
  properties: {
    amount: {
      type: 'string',
      maxLength: 60,
      pattern: '^(?=.*[1-9])\\d{1,30}(\\.\\d{1,28})?$',
      description: 'a decimal in a string such as "1.5", above 0',
    },
    entry_type: { type: 'string', enum: ['credit', 'debit'] },
    reason: nullable(text(0, 1_000)),
    expires_at: { type: ['string', 'null'], format: 'date-time' },
    idempotency_key: nullable(text(1, 255)),
    metadata: nullable(metadata),
  },
})

/** [resources#adjustments] */
export interface LedgerAdjustmentView {
  readonly id: string
  readonly amount: string
  readonly balance_after: string
  readonly balance_before: string
  readonly created_at: string
  readonly credit_entitlement_id: string
  readonly customer_id: string
  readonly entry_type: 'credit' | 'debit'
  readonly grant_id: string | null
  readonly is_credit: boolean
  readonly overage_after: string
  readonly overage_before: string
  readonly reason: string | null
}

/** What a body asks for; the expiry is still the text that was sent. */
export const wantedAdjustment = (body: LedgerAdjustment) => ({
  type: body.entry_type,
  amount: body.amount,
  reason: body.reason ?? null,
  expiresAt: body.expires_at ?? null,
  idempotencyKey: body.idempotency_key ?? null,
  metadata: body.metadata ?? null,
})

/**
 * A debit of several grants makes several entries: "before" is that of the first, "after" that of
 * the last.
 */
export function ledgerAdjustmentView(
  change: AccountChange,
  entryType: LedgerAdjustmentView['entry_type'],
): LedgerAdjustmentView {
  const entries = change.entries.filter((entry) => entry.type === 'manual_adjustment')
  const [first, last] = [entries[0], entries.at(-1)]
  if (first === undefined || last === undefined) throw new Error('An adjustment without an entry.')
  const text = (value: typeof first.amount): string =>
    formatCredits(value, change.account.precision)
  const amount = entries.reduce((total, entry) => total + entry.amount, 0n) as typeof first.amount
  return {
    id: first.entryId,
    amount: text(amount),
    balance_after: text(last.balanceAfter),
    balance_before: text(first.balanceBefore),
    created_at: formatInstant(change.at),
    credit_entitlement_id: change.key.entitlementId,
    customer_id: change.key.customerId,
    entry_type: entryType,
    grant_id: entryType === 'credit' ? first.grantId : null,
    is_credit: entryType === 'credit',
    overage_after: text(last.overageAfter),
    overage_before: text(first.overageBefore),
    reason: first.cause.description,
  }
}
