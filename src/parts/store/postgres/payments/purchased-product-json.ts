import type { PurchasedProduct } from '../../../../rules/commerce/payments/payment.ts'

/** A product of a purchase as sessions and payments keep it. */
export type PurchasedProductJson = Omit<PurchasedProduct, 'addons'> & {
  /** Absent in rows that were written before a purchase could have add-ons. */
  readonly addons?: PurchasedProduct['addons']
}

export const purchasedProductFrom = (stored: PurchasedProductJson): PurchasedProduct => ({
  ...stored,
  addons: stored.addons ?? [],
})
