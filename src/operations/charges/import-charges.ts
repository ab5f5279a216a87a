import assert from 'node:assert/strict'
import { orNotFound } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Changes, RowChange } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'

export interface ImportCharges {
  readonly businesses: Pick<Businesses, 'find'>
  readonly changes: Pick<Changes, 'commit'>
}

type ChargeTable = Extract<RowChange, { readonly noun: 'fee_table' | 'tax_table' }>

/** Puts a table in place of the one that the business had, for both modes. 404 for no business. */
export async function importCharges(
  { businesses, changes }: ImportCharges,
  table: ChargeTable,
): Promise<void> {
  const { businessId } = table.row
  orNotFound(await businesses.find(businessId), 'business', businessId)
  const outcome = await changes.commit(rowAlone({ businessId, mode: 'test' }, table))
  assert(outcome === 'committed', 'A table that replaces another has moved.')
}
