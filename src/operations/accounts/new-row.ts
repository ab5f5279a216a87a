import assert from 'node:assert/strict'
import type { Changes, RowChange } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'

export type NewRow = RowChange & { readonly expected: null }

/** Writes a row under an id that was made for it just now: nobody else can have written it. */
export async function writeNewRow(
  changes: Pick<Changes, 'commit'>,
  scope: Scope,
  row: NewRow,
): Promise<void> {
  const outcome = await changes.commit(rowAlone(scope, row))
  assert(outcome === 'committed', `A new ${row.noun} has moved.`)
}
