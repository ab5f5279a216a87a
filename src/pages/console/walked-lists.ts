/**
 * How a list is walked from its beginning to its end. By time: with the newest first, the filter
 * that says up to when, and the field that it is about. `pages`: by number, since it knows no time
 * and is short. `whole`: it answers all of it at once.
 */
export type ListWalkBy = { readonly until: string; readonly field: string } | 'pages' | 'whole'

const byCreation = { until: 'created_at_lte', field: 'created_at' } as const
const ledger = '/credit-entitlements/:id/balances/:customer_id/ledger'

/** Every list that the API and the console answer, by its path. */
export const walkedLists: ReadonlyMap<string, ListWalkBy> = new Map<string, ListWalkBy>([
  ['/addons', 'pages'],
  ['/balances/ledger', byCreation],
  ['/brands', 'whole'],
  ['/credit-entitlements', 'pages'],
  ['/credit-entitlements/:id/balances', 'pages'],
  ['/credit-entitlements/:id/balances/:customer_id/grants', 'pages'],
  [ledger, { until: 'end_date', field: 'created_at' }],
  ['/customers', byCreation],
  ['/customers/:customer_id/credit-entitlements', 'whole'],
  ['/customers/:customer_id/entitlement-grants', 'pages'],
  ['/customers/:customer_id/entitlements', 'whole'],
  ['/customers/:customer_id/payment-methods', 'whole'],
  ['/customers/:customer_id/wallets', 'whole'],
  ['/customers/:customer_id/wallets/ledger-entries', 'pages'],
  ['/discounts', 'pages'],
  ['/discounts/:discount_id/customers', 'pages'],
  ['/disputes', byCreation],
  ['/entitlements', 'pages'],
  ['/entitlements/:id/grants', 'pages'],
  ['/events', { until: 'end', field: 'timestamp' }],
  ['/keys', 'whole'],
  ['/license_key_instances', 'pages'],
  ['/license_keys', byCreation],
  ['/meters', 'pages'],
  ['/payments', byCreation],
  ['/payouts', byCreation],
  ['/payouts/:payout_id/breakup/details', 'pages'],
  ['/product-collections', 'pages'],
  ['/products', 'pages'],
  ['/products/:product_id/localized-prices', 'whole'],
  ['/products/short_links', 'pages'],
  ['/refunds', byCreation],
  ['/subscriptions', byCreation],
  ['/subscriptions/:id/credit-usage', 'whole'],
  ['/subscriptions/:id/usage-history', 'pages'],
  ['/webhooks', 'whole'],
  ['/webhooks/:id/messages', 'pages'],
  ['/webhooks/:id/messages/:message_id/attempts', 'pages'],
])
