import { Fault } from '../../faults.ts'
import type { SubscriptionCreate } from '../../wire/subscription.ts'

/** What cannot be referenced, since nothing of the kind exists, is refused rather than ignored. */
export function refuseExtras(
  body: Pick<SubscriptionCreate, 'addons' | 'discount_code' | 'discount_codes'>,
): void {
  const [addon] = body.addons ?? []
  if (addon !== undefined) {
    throw new Fault('NOT_FOUND', `There is no add-on with the id '${addon.addon_id}'.`)
  }
  const code = body.discount_code ?? body.discount_codes?.[0]
  if (code !== undefined) {
    throw new Fault('INVALID_DISCOUNT_CODE', `There is no discount with the code '${code}'.`)
  }
}
