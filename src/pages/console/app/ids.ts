/** What an id leads to: a page of its own, what the API answers, or where else it stands. */
export type IdPlace =
  | { readonly one: string; readonly step: string }
  | { readonly one: string; readonly path: string }
  | { readonly one: string; readonly says: string; readonly step?: string }

/** By the beginning of the ids that we make. [resources#ids] */
const places: Readonly<Record<string, IdPlace>> = {
  adn: { one: 'Add-on', step: 'addons' },
  ble: { one: 'Entry of the balance', path: '/explanations' },
  brnd: { one: 'Brand', step: 'brands' },
  bus: {
    one: 'Business',
    says: 'A business: who sells. What you see here is all of one.',
    step: 'you',
  },
  cbl: {
    one: 'Balance of credits',
    says: 'What one customer holds under one credit entitlement: it stands on the customer’s page.',
    step: 'customers',
  },
  cde: { one: 'Credit entitlement', step: 'credit-entitlements' },
  cem: {
    one: 'Credits of a product',
    says: 'The credits that one product brings: they stand on its page.',
    step: 'products',
  },
  cgr: { one: 'Grant', path: '/credit-ledger-entries' },
  cks: { one: 'Checkout session', path: '/checkouts' },
  cle: { one: 'Ledger entry', path: '/credit-ledger-entries' },
  cse: { one: 'Session', says: 'Somebody who is logged in: your own are listed.', step: 'you' },
  cus: { one: 'Customer', step: 'customers' },
  dis: { one: 'Dispute', step: 'disputes' },
  dsc: { one: 'Discount', step: 'discounts' },
  ent: { one: 'Entitlement', step: 'entitlements' },
  entg: { one: 'Grant of an entitlement', path: '/things' },
  key: { one: 'API key', path: '/things' },
  lcp: { one: 'Localized price', path: '/things' },
  lic: { one: 'License key', step: 'licenses' },
  lki: { one: 'Activation of a license key', path: '/license_key_instances' },
  msg: { one: 'Webhook message', path: '/things' },
  mtr: { one: 'Meter', step: 'meters' },
  pay: { one: 'Payment', step: 'payments' },
  pdc: { one: 'Collection', step: 'product-collections' },
  pdt: { one: 'Product', step: 'products' },
  pm: { one: 'Payment method', path: '/things' },
  pnw: {
    one: 'News of a processor',
    says: 'What a processor has told of a payment: it stands with the payment.',
    step: 'payments',
  },
  pyt: { one: 'Payout', step: 'payouts' },
  ref: { one: 'Refund', step: 'refunds' },
  req: {
    one: 'Request',
    says: 'A request to the server: its log has each line of it under this id, as requestId.',
  },
  spc: {
    one: 'Scheduled change',
    says: 'A change of plan that waits for the next billing date: it stands on the subscription.',
    step: 'subscriptions',
  },
  sub: { one: 'Subscription', step: 'subscriptions' },
  usr: { one: 'User of the console', says: 'Somebody whom the operator has let in.', step: 'you' },
  whk: { one: 'Webhook endpoint', step: 'webhooks' },
  whs: {
    one: 'Place in the stream',
    says: 'Where a stream of messages goes on: what follows it is asked for with Last-Event-ID.',
    step: 'webhooks',
  },
  wle: {
    one: 'Entry of a wallet',
    says: 'Money that went into or out of a customer’s wallet: it stands on the customer’s page.',
    step: 'customers',
  },
}

/** Where an id that we made leads, by its beginning; null: it may be an event’s. */
export function placeOfId(id: string): IdPlace | null {
  const [, prefix = ''] = /^([a-z]{2,4})_[\w-]{10,}$/.exec(id) ?? []
  return Object.hasOwn(places, prefix) ? (places[prefix] ?? null) : null
}

/** The page of an id that we made; null: it has none. Grants and entries are told why. */
export function stepOfId(id: string): string | null {
  if (!/^[a-z]{2,4}_[\w-]{21}$/.test(id)) return null
  const place = placeOfId(id)
  if (place === null || 'says' in place) return null
  return 'step' in place ? place.step : 'why'
}

/** Ids of money, and numbers of papers: their explanation is more than what they are. */
export const isOfMoney = (id: string): boolean =>
  /^(pay|ref|dis|pyt|ble)_[\w-]{21}$|^(INV|CRN|PAY)-\d{6,}$/.test(id)
