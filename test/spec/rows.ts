/** A row of the service's specification, and the test that proves it: its file, and its name. */
export type SpecRow = readonly [row: string, file: string, name: string]

const brands = 'test/edge/api/brands.test.ts'
const order = 'is refused in this order: 404, 403, 409, 422'
const counts = 'moves products, live subscriptions and collections, and counts them exactly'
const untargeted = 'needs no target where nothing needs one, and then collections stay'
const links = 'test/edge/api/short-links.test.ts'
const entitlements = 'test/edge/api/credit-entitlements.test.ts'
const kept = 'is hidden but from its own list, and comes back as it was'
const access = 'test/e2e/api/access.ts'
const limits = 'test/e2e/rate-limits.test.ts'
const windows = 'test/edge/http/rates.test.ts'
const invoices = 'test/e2e/invoices.test.ts'
const usage = 'test/e2e/billing/usage.ts'
const story = 'test/e2e/billing/story.ts'
const told = 'test/e2e/webhooks.test.ts'
const kinds = 'tell what was added, deducted and adjusted, and a low balance, each under one id'
const cycleEnd = 'test/rules/accounts/cycle-end.test.ts'
const rollover = 'test/rules/accounts/rollover.test.ts'
const licenses = 'test/edge/api/licenses.test.ts'

/** In the order of the specification. */
export const specRows: readonly SpecRow[] = [
  ['ArchiveBrandRequest: move_products_to', brands, order],
  ['ArchiveBrandRequest: left out where nothing needs a target', brands, untargeted],
  ['ArchiveBrandResponse: brand_id, archived_at, counts, moved_to_brand_id', brands, counts],
  ['ArchiveBrandResponse: moved_to_brand_id null without a target', brands, untargeted],
  ['Short link: slug', links, 'have a slug of 3 to 64 plain characters, which nobody else has'],
  ['Short link: static_checkout_params, full_url, short_url', links, 'stand for the checkout'],
  ['Credit entitlement: its settings', entitlements, 'are created, read and answered whole'],
  ['Payment list item: refund_status', 'test/e2e/refunds.test.ts', 'give back parts and the rest'],
  ['Payment list item: dispute_status', 'test/e2e/payments.test.ts', 'are listed by every filter'],
  ['Usage event: event_id', usage, 'takes an id once, however often it is sent'],
  ['Usage event: customer_id, event_name, metadata', usage, 'counts only what passes the filter'],
  ['Usage event: timestamp', usage, 'counts what happened up to an hour ago, and up to five'],
  ['State: brand active → archived', brands, counts],
  ['State: brand archived → 409, for good', brands, 'is for good: whatever would be new'],
  ['State: credit entitlement active → soft-deleted → active', entitlements, kept],
  [
    'POST /brands/{id}/archive',
    'test/e2e/api/selling.ts',
    'are made, changed, listed and archived',
  ],
  ['POST /products/{id}/short_links', 'test/e2e/api/selling.ts', 'have short addresses'],
  [
    'DELETE /credit-entitlements/{id}, POST …/undelete',
    'test/e2e/api/catalog.ts',
    'are made, changed, d',
  ],
  ['GET /payments', 'test/e2e/payments.test.ts', 'are listed by every filter, newest first'],
  ['POST /events/ingest', story, 'see usage turn into deducted credits'],
  ['GET /invoices/refunds/{refund_id}', invoices, 'is issued when a refund succeeds'],
  ['GET /invoices/payouts/{payout_id}', 'test/e2e/payouts.test.ts', 'are read with all that they'],
  ['Get Invoice of a payment', invoices, 'is a PDF, by key and by its link, the same each time'],
  [
    'Checkout session: its cart, customer, return_url',
    'test/e2e/checkout.test.ts',
    'is paid on its',
  ],
  ['License operations: public, without a key', licenses, 'tell programs whether they are valid'],
  ['Authentication: a bearer key of one mode', access, 'it.each('],
  ['Authentication: shown once', 'test/serve.test.ts', 'and shows no key again'],
  ['Authentication: read-only keys', access, 'it.each(writes'],
  ['Authentication: a revoked key ends', access, 'a key ends when it is revoked'],
  ['credit.added, credit.deducted, credit.manual_adjustment, credit.balance_low', told, kinds],
  ['credit.expired', cycleEnd, 'is all that its cycle issued, whatever its expiry says'],
  ['credit.rolled_over', rollover, 'rolls 150 of 200 unused at 75 %, and the other 50 expire'],
  ['credit.rollover_forfeited', rollover, 'forfeits at the maximum count'],
  ['credit.overage_charged', cycleEnd, 'is billed, which moves nothing, and reset'],
  ['credit.balance_low', told, 'announce a low balance at every crossing downwards'],
  ['Errors: 403, 404, 409, 422 of a brand archive', brands, order],
  ['Errors: 429', windows, 'says when to come again, by the longest exhausted window'],
  ['Limits: per second and per minute at once', windows, 'lets 40 of a business pass in a second'],
  ['Limits: a business over all its keys, by its tier', limits, 'hold for a business over all'],
  ['Limits: an address without a valid key', limits, 'hold for an address without a valid key'],
  ['Limits: invoices have their own', invoices, 'has windows of its own for keys and for'],
  ['Limits: X-RateLimit headers', windows, 'is on every answer'],
  ['Limits: at most 3 credits a product', 'test/edge/api/product-refusals.test.ts', 'for a wrong'],
  ['Limits: expiry from 7 days to never', entitlements, 'refuse what is wrong, with the field'],
  ['Versioning: two hosts, the same paths', 'test/e2e/hosts.test.ts', 'one port serves both modes'],
]
