import type { CartItem, Overridable } from '../../accounts/attached-credits.ts'
import { grantedRejection } from '../../accounts/attached-credits.ts'
import { settingsRejection } from '../catalog/credit-settings.ts'
import { precisionRejection } from '../catalog/decimals.ts'
import type { Rejection } from '../catalog/rejection.ts'
import { firstOf, invalid } from '../catalog/rejection.ts'

/**
 * What a caller may change of one entitlement of a subscription. Absent: it stays. Null: the
 * override is cleared, and the value from the purchase holds again. [resources#attached-credits,
 * requests#nulls]
 */
export type CartPatch = { readonly creditEntitlementId: string } & {
  readonly [Key in keyof Overridable]?: Overridable[Key] | null
}

/**
 * The cart with the changes. They take effect with the next grant; limits and thresholds do so at
 * once. Refuses an entitlement that is not in the cart, one that is named twice, settings that do
 * not go together, and credits that together are too many.
 */
export function patchedCart(
  cart: readonly CartItem[],
  patches: readonly CartPatch[],
  of: {
    readonly quantity: number
    readonly precisionOf: (creditEntitlementId: string) => number
  },
): readonly CartItem[] | Rejection {
  const named = patches.map((patch) => patch.creditEntitlementId)
  const rejection = firstOf(
    patches.map((patch, index) => () => {
      const id = patch.creditEntitlementId
      const where = `credit_entitlement_cart[${index}]`
      const item = cart.find((each) => each.creditEntitlementId === id)
      if (item === undefined) {
        return invalid(`${where} names '${id}', which is not in this subscription's cart.`)
      }
      if (named.indexOf(id) !== index) return invalid(`${where} names '${id}' for a second time.`)
      const { quantity, precisionOf } = of
      return rejectionOf(patch, item, { where, quantity, precision: precisionOf(id) })
    }),
  )
  if (rejection !== null) return rejection
  const changes = new Map(patches.map((patch) => [patch.creditEntitlementId, patch]))
  return cart.map((item) => {
    const patch = changes.get(item.creditEntitlementId)
    return patch === undefined ? item : merged(item, patch)
  })
}

function rejectionOf(
  patch: CartPatch,
  item: CartItem,
  of: { readonly where: string; readonly quantity: number; readonly precision: number },
): Rejection | null {
  const { where, quantity, precision } = of
  const after = merged(item, patch)
  return (
    precisionRejection(patch.creditsAmount ?? null, precision, `${where}.credits_amount`) ??
    precisionRejection(patch.overageLimit ?? null, precision, `${where}.overage_limit`) ??
    settingsRejection(after, `${where}.`) ??
    grantedRejection(after, quantity, (field) => `${where}.${field}`)
  )
}

/** An override keeps the value that it hides, so that clearing it brings the value back. */
function merged(item: CartItem, patch: CartPatch): CartItem {
  const { creditEntitlementId, ...sent } = patch
  const hidden: Record<string, unknown> = { ...item.overridden }
  const now: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(sent)) {
    if (value === undefined) continue
    if (value !== null) {
      if (!Object.hasOwn(hidden, key)) hidden[key] = item[key as keyof Overridable]
      now[key] = value
    } else if (Object.hasOwn(hidden, key)) {
      now[key] = hidden[key]
      delete hidden[key]
    }
  }
  return { ...item, ...now, overridden: hidden }
}
