import { createHash } from 'node:crypto'
import type { AccountKey } from '../../rules/accounts/view.ts'

/** The id of a balance, derived from its key, so that a balance has one before it is stored. */
export function accountIdOf(key: AccountKey): string {
  const name = JSON.stringify([key.businessId, key.mode, key.customerId, key.entitlementId])
  return `cbl_${createHash('sha256').update(name).digest('base64url').slice(0, 21)}`
}
