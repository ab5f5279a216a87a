import type { Shop } from './shop.ts'

/** Every page of the console that is of nothing in particular, below its mode. */
export const plainPages: readonly string[] = [
  '',
  'events',
  'why',
  'customers',
  'subscriptions',
  'payments',
  'invoices',
  'refunds',
  'disputes',
  'payouts',
  'licenses',
  'balance',
  'meters',
  'meters/new',
  'credit-entitlements',
  'entitlements',
  'products',
  'addons',
  'discounts',
  'brands',
  'product-collections',
  'keys',
  'webhooks',
  'clock',
  'limits',
  'you',
  'nowhere',
]

/** A page of each kind of thing. */
export const pagesOfShop = (shop: Shop): readonly string[] => [
  `customers/${shop.customer}`,
  `subscriptions/${shop.subscription}`,
  `subscriptions/${shop.onDemand}`,
  `entitlements/${shop.entitlement}`,
  `payments/${shop.payment}`,
  `refunds/${shop.refund}`,
  `disputes/${shop.dispute}`,
  `licenses/${shop.license}`,
  `meters/${shop.meter}`,
  `credit-entitlements/${shop.credit}`,
  `products/${shop.product}`,
  `addons/${shop.addon}`,
  `discounts/${shop.discount}`,
  `brands/${shop.brand}`,
  `product-collections/${shop.collection}`,
  `webhooks/${shop.webhook}`,
]

/** Where something is made or done: lists with a form, and the pages of things. */
export const pagesWithActions = (shop: Shop): readonly string[] => [
  ...['customers', 'products', 'discounts', 'brands', 'keys', 'webhooks', 'clock'],
  ...pagesOfShop(shop),
]

/** The one action that has no dialog: it acts at once. */
export const actsAtOnce = 'Turn on or off'
