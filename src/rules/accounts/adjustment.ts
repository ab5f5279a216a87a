import { powerOfTen } from '../../std/decimal.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { CatalogMetadata } from '../commerce/catalog/metadata.ts'
import { metadataRejection } from '../commerce/catalog/metadata.ts'
import { invalid } from '../commerce/catalog/rejection.ts'
import type { AccountRejection } from './account-rejection.ts'
import type { Cause } from './cause.ts'
import { debit, expiryAfter, grant } from './commands.ts'
import type { Credits } from './credits.ts'
import { parseCredits } from './credits.ts'
import type { Projected } from './project.ts'
import type { Decided } from './settle.ts'
import type { AccountKey, AccountView } from './view.ts'

/** A manual credit or debit. [resources#adjustments] */
export interface Adjustment {
  readonly key: AccountKey
  readonly type: 'credit' | 'debit'
  /** Plain decimal text, above 0. */
  readonly amount: string
  readonly reason: string | null
  readonly expiresAt: Instant | null
  readonly idempotencyKey: string | null
  readonly metadata: CatalogMetadata | null
}

/**
 * What the adjustment makes of the account, or why it is refused: a debit may exceed the settled
 * balance.
 */
export type AdjustmentCommand = (projected: Projected) => Decided | AccountRejection

/**
 * Refuses an unknown entitlement or customer, more decimals than the precision, an amount of 10^10
 * or more, metadata that cannot be stored, and an expiry that has passed. [resources#adjustments]
 */
export function adjusting(
  adjustment: Adjustment,
  view: AccountView,
  { at, newId }: { readonly at: Instant; readonly newId: NewId },
): AdjustmentCommand | AccountRejection {
  const { key, type, expiresAt } = adjustment
  const { entitlement, customerExists } = view
  if (entitlement === null || entitlement.deleted) {
    return missing('credit entitlement', key.entitlementId)
  }
  if (!customerExists) return missing('customer', key.customerId)
  const amount = amountOf(adjustment.amount, entitlement.precision)
  if (typeof amount === 'object') return amount
  const metadata = adjustment.metadata ?? {}
  const rejection = metadataRejection(metadata)
  if (rejection !== null) return rejection
  const cause: Cause = {
    referenceType: 'api',
    referenceId: null,
    description: adjustment.reason,
    metadata,
    inputs: { rule: `manual_${type}` as const, amount: adjustment.amount },
  }
  if (type === 'debit') return ({ account }) => debit(account, { amount, cause }, at)
  // Checked again at the time of the decision, since the command may have waited. [credits#grants]
  if (expiresAt !== null && expiresAt <= at) return pastExpiry
  return ({ account }) =>
    grant(
      account,
      {
        grantId: newId('cgr'),
        amount,
        source: { type: 'api', id: null },
        cycleAt: null,
        expiresAt: expiresAt ?? expiryAfter(entitlement.expiresAfterDays, at),
        metadata: adjustment.metadata,
        entryType: 'manual_adjustment',
        cause,
      },
      at,
    )
}

/** Any moment in the future will do, however near. [credits#grants] */
export const pastExpiry = invalid('expires_at must be in the future.')

const missing = (what: string, id: string): AccountRejection => ({
  code: 'NOT_FOUND',
  problem: `There is no ${what} with the id '${id}'.`,
})

/** First whether the precision allows the amount, then its size. [requests#refusals] */
function amountOf(text: string, precision: number): Credits | AccountRejection {
  const amount = parseCredits(text, precision)
  if (amount === null) {
    return invalid(
      `amount must have at most ${precision} digits after the point, as the entitlement says.`,
    )
  }
  if (amount < powerOfTen(10 + precision)) return amount
  return { code: 'INVALID_REQUEST_PARAMETERS', problem: 'amount must be below 10000000000.' }
}
