import type { CreditTransactionType } from '../rules/facts/ledger-facts.ts'
import type { RecordedEntry } from '../rules/facts/recorded-entry.ts'
import { formatDecimal, parseDecimal } from '../std/decimal.ts'
import { formatInstant } from '../std/instant.ts'

/**
 * One change of an account, as the ledger and the credit.* webhooks show it.
 * [resources#ledger-entries, webhooks#kinds]
 */
export interface CreditLedgerEntry {
  readonly id: string
  readonly business_id: string
  readonly brand_id: string
  readonly customer_id: string
  readonly credit_entitlement_id: string
  readonly transaction_type: CreditTransactionType
  readonly is_credit: boolean
  readonly amount: string
  readonly balance_before: string
  readonly balance_after: string
  readonly overage_before: string
  readonly overage_after: string
  readonly grant_id: string | null
  readonly reference_type: string | null
  readonly reference_id: string | null
  readonly description: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly created_at: string
}

export function toCreditLedgerEntry(entry: RecordedEntry): CreditLedgerEntry {
  return {
    id: entry.entryId,
    business_id: entry.businessId,
    brand_id: entry.brandId,
    customer_id: entry.customerId,
    credit_entitlement_id: entry.entitlementId,
    transaction_type: entry.transactionType,
    is_credit: entry.isCredit,
    amount: shownDecimal(entry.amount),
    balance_before: shownDecimal(entry.balanceBefore),
    balance_after: shownDecimal(entry.balanceAfter),
    overage_before: shownDecimal(entry.overageBefore),
    overage_after: shownDecimal(entry.overageAfter),
    grant_id: entry.grantId,
    reference_type: entry.referenceType,
    reference_id: entry.referenceId,
    description: entry.description,
    metadata: entry.metadata,
    created_at: formatInstant(entry.createdAt),
  }
}

/** A decimal of the store without trailing zeros, exact at any scale. [requests#numbers] */
export function shownDecimal(text: string): string {
  const scale = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0
  const value = parseDecimal(text, scale)
  if (value === null) throw new Error('The store holds a number that is not a plain decimal.')
  return formatDecimal(value, scale)
}
