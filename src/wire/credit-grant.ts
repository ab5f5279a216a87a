import type { RecordedGrant } from '../rules/accounts/recorded-grant.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'
import { shownDecimal } from './credit-ledger-entry.ts'

/** One lot of credits. [credits#grants] */
export interface CreditGrant {
  readonly id: string
  readonly created_at: string
  readonly credit_entitlement_id: string
  readonly customer_id: string
  readonly expires_at: string | null
  readonly initial_amount: string
  readonly is_expired: boolean
  readonly is_rolled_over: boolean
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly parent_grant_id: string | null
  readonly remaining_amount: string
  readonly rollover_count: number
  readonly source_id: string | null
  readonly source_type: string
  readonly updated_at: string
}

export function creditGrant(
  grant: RecordedGrant,
  of: { readonly entitlementId: string; readonly customerId: string; readonly at: Instant },
): CreditGrant {
  const isDue = grant.expiresAt !== null && grant.expiresAt <= of.at
  return {
    id: grant.grantId,
    created_at: formatInstant(grant.createdAt),
    credit_entitlement_id: of.entitlementId,
    customer_id: of.customerId,
    expires_at: grant.expiresAt === null ? null : formatInstant(grant.expiresAt),
    initial_amount: shownDecimal(grant.initial),
    is_expired: isDue || grant.endedAt !== null,
    is_rolled_over: grant.rolledOver,
    metadata: grant.metadata,
    parent_grant_id: grant.parentGrantId,
    remaining_amount: shownDecimal(grant.remaining),
    rollover_count: grant.rolloverCount,
    source_id: grant.sourceId,
    source_type: grant.sourceType,
    updated_at: formatInstant(grant.updatedAt),
  }
}
