import type { TimeInterval } from '../../../std/calendar.ts'
import { settingsRejection } from '../catalog/credit-settings.ts'
import { precisionRejection } from '../catalog/decimals.ts'
import type { Rejection } from '../catalog/rejection.ts'
import { firstOf, invalid } from '../catalog/rejection.ts'
import type { CartItem } from './cart.ts'

/** What a subscription may change of one of its entitlements; null keeps it. [contract D.2] */
export interface CartPatch {
  readonly creditEntitlementId: string
  /** Decimal text, above 0. */
  readonly creditsAmount: string | null
  readonly expiresAfterDays: number | null
  readonly lowBalanceThresholdPercent: number | null
  readonly maxRolloverCount: number | null
  readonly overageEnabled: boolean | null
  /** Decimal text. */
  readonly overageLimit: string | null
  readonly rolloverEnabled: boolean | null
  readonly rolloverPercentage: number | null
  readonly rolloverTimeframeCount: number | null
  readonly rolloverTimeframeInterval: TimeInterval | null
}

/**
 * The cart with the changes, which act from the next grant on; limits and thresholds act at once.
 * Refuses an entitlement that is not in it, one named twice, and settings that do not go together.
 */
export function patchedCart(
  cart: readonly CartItem[],
  patches: readonly CartPatch[],
  precisionOf: (creditEntitlementId: string) => number,
): readonly CartItem[] | Rejection {
  const named = patches.map((patch) => patch.creditEntitlementId)
  const rejection = firstOf(
    patches.map((patch, index) => () => {
      const id = patch.creditEntitlementId
      const where = `credit_entitlement_cart/${index}`
      const item = cart.find((each) => each.creditEntitlementId === id)
      if (item === undefined) {
        return invalid(`${where} names '${id}', which is not in this subscription's cart.`)
      }
      if (named.indexOf(id) !== index) return invalid(`${where} names '${id}' for a second time.`)
      return rejectionOf(patch, item, { where, precision: precisionOf(id) })
    }),
  )
  if (rejection !== null) return rejection
  const changes = new Map(patches.map((patch) => [patch.creditEntitlementId, patch]))
  return cart.map((item) => merged(item, changes.get(item.creditEntitlementId)))
}

function rejectionOf(
  patch: CartPatch,
  item: CartItem,
  { where, precision }: { readonly where: string; readonly precision: number },
): Rejection | null {
  return (
    precisionRejection(patch.creditsAmount, precision, `${where}/credits_amount`) ??
    precisionRejection(patch.overageLimit, precision, `${where}/overage_limit`) ??
    settingsRejection(merged(item, patch), `${where}/`)
  )
}

const merged = (item: CartItem, patch: CartPatch | undefined): CartItem => ({
  ...item,
  ...Object.fromEntries(Object.entries(patch ?? {}).filter(([, value]) => value !== null)),
})
