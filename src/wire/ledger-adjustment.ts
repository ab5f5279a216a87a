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
