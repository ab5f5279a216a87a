import { Fault } from '../../faults.ts'

/** What may be tried again after a lost race: the label of the metric. */
export type Operation =
  | 'activate_license'
  | 'adjust_balance'
  | 'adjust_wallet'
  | 'archive_brand'
  | 'archive_collection'
  | 'archive_localized_price'
  | 'archive_meter'
  | 'archive_product'
  | 'cancel_scheduled_change'
  | 'change_plan'
  | 'charge_subscription'
  | 'create_collection'
  | 'create_collection_group'
  | 'create_collection_items'
  | 'create_localized_price'
  | 'create_product'
  | 'create_webhook_endpoint'
  | 'cycle_end'
  | 'deactivate_license'
  | 'delete_collection_group'
  | 'delete_collection_item'
  | 'delete_credit_entitlement'
  | 'delete_discount'
  | 'delete_entitlement'
  | 'delete_payment_method'
  | 'delete_webhook_endpoint'
  | 'expiry'
  | 'fulfil_grant'
  | 'limit_business'
  | 'own_cycle_end'
  | 'pay'
  | 'payment_news'
  | 'payout'
  | 'refund'
  | 'remove_user'
  | 'dispute'
  | 'retry_renewal'
  | 'revoke_grant'
  | 'revoke_key'
  | 'rotate_webhook_secret'
  | 'settle'
  | 'subscribe'
  | 'unarchive_collection'
  | 'unarchive_meter'
  | 'unarchive_product'
  | 'undelete_credit_entitlement'
  | 'update_addon'
  | 'update_brand'
  | 'update_collection'
  | 'update_collection_group'
  | 'update_collection_item'
  | 'update_credit_entitlement'
  | 'update_customer'
  | 'update_discount'
  | 'update_entitlement'
  | 'update_license_key'
  | 'update_license_key_instance'
  | 'update_localized_price'
  | 'update_payment_method'
  | 'update_product'
  | 'update_subscription'
  | 'update_webhook_endpoint'
  | 'void'

export interface Tries {
  /** Called for every try that the store refused, for metrics. */
  readonly retried?: (operation: Operation) => void
}

/** A try that the store refused, because what it was decided on has moved. */
export const lost = Symbol('lost')

/** Each lost race means that another change succeeded, so fifty in a row mean trouble. */
const triesMax = 50

/**
 * Loads with versions, decides (pure), and writes if what was decided on still holds; otherwise
 * does all of it again. This is the only optimistic retry that there is. Throws 503 when it was
 * refused fifty times. [machines#writers]
 */
export async function untilWritten<T>(
  tries: Tries,
  operation: Operation,
  once: () => Promise<T | typeof lost>,
): Promise<T> {
  for (let number = 1; number <= triesMax; number += 1) {
    const written = await once()
    if (written !== lost) return written
    tries.retried?.(operation)
  }
  throw new Fault('UNAVAILABLE', 'What this is about is changing too fast just now; try again.', {
    retryAfterSeconds: 1,
  })
}
