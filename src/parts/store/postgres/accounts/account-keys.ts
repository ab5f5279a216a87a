import type { AccountKey } from '../../../../rules/accounts/view.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'

export interface AccountKeyRow {
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly entitlement_id: string
}

export const keyOf = (row: AccountKeyRow): AccountKey => ({
  businessId: row.business_id,
  mode: row.mode,
  customerId: row.customer_id,
  entitlementId: row.entitlement_id,
})
