import type { Changes } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Addon, WantedAddon } from '../../rules/commerce/catalog/addon.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { writeNewRow } from '../accounts/new-row.ts'

export interface CreateAddon {
  readonly changes: Pick<Changes, 'commit'>
  readonly newId: NewId
}

/** [resources#add-ons] */
export async function createAddon(
  { changes, newId }: CreateAddon,
  scope: Scope,
  { wanted, at }: { readonly wanted: WantedAddon; readonly at: Instant },
): Promise<Addon> {
  const addon: Addon = { ...wanted, addonId: newId('adn'), createdAt: at, updatedAt: at }
  await writeNewRow(changes, scope, { noun: 'addon', expected: null, row: addon })
  return addon
}
