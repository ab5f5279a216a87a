import type { Change, RowChange } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'

/** A change of one credit entitlement alone; the time plays no part in it. */
export const writtenEntitlement = (
  scope: Scope,
  row: Omit<Extract<RowChange, { readonly noun: 'credit_entitlement' }>, 'noun'>,
): Change => ({
  scope,
  clockAhead: null,
  rows: [{ noun: 'credit_entitlement', ...row }],
  accounts: [],
  facts: [],
})
