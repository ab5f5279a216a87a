import type { EntryOfAccount, GrantOfAccount } from '../../../../rules/explain/account-records.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { InputsJson } from '../accounts/cause-json.ts'
import { inputsFrom } from '../accounts/cause-json.ts'
import type { EntryRow } from '../accounts/entry-rows.ts'
import { entryOf } from '../accounts/entry-rows.ts'
import type { GrantRow } from '../accounts/grant-rows.ts'
import { recordedGrantOf } from '../accounts/grant-rows.ts'

interface OwnerRow {
  readonly account_id: string
  readonly number: number
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly entitlement_id: string
}

/** An entry with the key of its account, and the rule that made it. */
export interface OwnedEntryRow extends EntryRow, OwnerRow {
  readonly inputs: InputsJson
}

/** A grant with the key of its account. */
export interface OwnedGrantRow extends GrantRow, OwnerRow {
  readonly rolled_into: string | null
}

const ownerOf = (row: OwnerRow) => ({
  accountId: row.account_id,
  number: row.number,
  businessId: row.business_id,
  mode: row.mode,
  customerId: row.customer_id,
  entitlementId: row.entitlement_id,
})

export const ownedEntryOf = (row: OwnedEntryRow): EntryOfAccount => ({
  ...ownerOf(row),
  ...entryOf(row),
  inputs: inputsFrom(row.inputs),
})

export const ownedGrantOf = (row: OwnedGrantRow): GrantOfAccount => ({
  ...ownerOf(row),
  ...recordedGrantOf(row),
  rolledInto: row.rolled_into,
})
