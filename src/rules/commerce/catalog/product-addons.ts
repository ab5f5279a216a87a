import type { Addon } from './addon.ts'
import type { Price } from './price.ts'
import type { Rejection } from './rejection.ts'
import { firstOf, firstOfEach, invalid } from './rejection.ts'

/** A product's list of add-ons, and those of them that exist. */
export interface ListedAddons {
  readonly price: Price
  readonly addonIds: readonly string[]
  readonly addons: ReadonlyMap<string, Addon>
}

/** Add-ons exist, are named once, and go with recurring prices alone. [resources#add-ons] */
export function addonsRejection({ price, addonIds, addons }: ListedAddons): Rejection | null {
  return firstOf([
    () => firstOfEach(addonIds, missing),
    () => firstOfEach(addonIds, repeated),
    () => (addonIds.length === 0 ? null : kindRejected(price)),
  ])

  function missing(addonId: string, index: number): Rejection | null {
    if (addons.has(addonId)) return null
    const problem = `addons[${index}]: there is no add-on with the id '${addonId}'.`
    return { code: 'MISSING_ADDON_IDS', problem }
  }

  function repeated(addonId: string, index: number): Rejection | null {
    if (addonIds.indexOf(addonId) === index) return null
    const problem = `addons[${index}] names the add-on '${addonId}' a second time.`
    return { code: 'DUPLICATE_ADDON_IDS_IN_REQUEST', problem }
  }
}

function kindRejected({ type }: Price): Rejection | null {
  if (type === 'recurring_price') return null
  if (type === 'one_time_price') {
    return invalid('addons need a recurring_price: they are paid with each period.')
  }
  return {
    code: 'ADDONS_IN_USAGE_BASED_BILLING_NOT_SUPPORTED',
    problem: 'addons do not go with a usage_based_price: leave them out.',
  }
}
