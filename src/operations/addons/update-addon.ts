import { orNotFound } from '../../faults.ts'
import type { Addons } from '../../parts/store/addons.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Addon, AddonChange } from '../../rules/commerce/catalog/addon.ts'
import { changedAddon } from '../../rules/commerce/catalog/addon.ts'
import type { Instant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { KnownImageNeeds } from '../files/known-image.ts'
import { refuseUnknownImage } from '../files/known-image.ts'

export interface UpdateAddon extends Tries, KnownImageNeeds {
  readonly changes: Pick<Changes, 'commit'>
  readonly addons: Pick<Addons, 'get'>
}

/** The add-on as it is afterwards. @throws Fault 404, 422 [resources#add-ons] */
export function updateAddon(
  needs: UpdateAddon,
  scope: Scope,
  input: { readonly addonId: string; readonly change: AddonChange; readonly at: Instant },
): Promise<Addon> {
  const { addonId, change, at } = input
  return untilWritten(needs, 'update_addon', async () => {
    const was = orNotFound(await needs.addons.get(scope, addonId), 'add-on', addonId)
    await refuseUnknownImage(needs, scope, change.imageId)
    const row = changedAddon(was, change, at)
    const changed = { noun: 'addon', expected: was.updatedAt, row } as const
    const outcome = await needs.changes.commit(rowAlone(scope, changed))
    return outcome === 'committed' ? row : lost
  })
}
