import { anyObject, named } from '../../wire/answers/shape.ts'
import { addonsDescribed } from '../../wire/described/addons.ts'
import { ledgerDescribed } from '../../wire/described/balances.ts'
import { brandsDescribed } from '../../wire/described/brands.ts'
import {
  customersDescribed,
  entitlementsDescribed,
  metersDescribed,
} from '../../wire/described/catalog.ts'
import { collectionsDescribed } from '../../wire/described/collections.ts'
import { balancesDescribed } from '../../wire/described/credits.ts'
import type { DescribedRoutes } from '../../wire/described/described.ts'
import { discountsDescribed } from '../../wire/described/discounts.ts'
import { disputesDescribed } from '../../wire/described/disputes.ts'
import { productAccessDescribed } from '../../wire/described/entitlements.ts'
import { eventsDescribed } from '../../wire/described/events.ts'
import { imagesDescribed } from '../../wire/described/images.ts'
import { invoicesDescribed } from '../../wire/described/invoices.ts'
import { licensesDescribed } from '../../wire/described/licenses.ts'
import { paymentsDescribed } from '../../wire/described/payments.ts'
import { payoutsDescribed } from '../../wire/described/payouts.ts'
import { portalDescribed } from '../../wire/described/portal.ts'
import { productsDescribed } from '../../wire/described/products.ts'
import { refundsDescribed } from '../../wire/described/refunds.ts'
import { subscriptionsDescribed } from '../../wire/described/subscriptions.ts'
import { walletsDescribed } from '../../wire/described/wallets.ts'
import { webhooksDescribed } from '../../wire/described/webhooks.ts'
import type { Definition } from '../../wire/schemas.ts'
import { etagOf, unlessKnown } from '../http/etag.ts'
import type { Reply, Route } from '../http/route.ts'
import { route } from '../http/route.ts'
import { describeApi } from './description/description.ts'

/** All routes that the contract has, and ours. */
export const describedRoutes: DescribedRoutes = {
  ...eventsDescribed,
  ...customersDescribed,
  ...walletsDescribed,
  ...portalDescribed,
  ...metersDescribed,
  ...entitlementsDescribed,
  ...balancesDescribed,
  ...brandsDescribed,
  ...addonsDescribed,
  ...productsDescribed,
  ...productAccessDescribed,
  ...imagesDescribed,
  ...collectionsDescribed,
  ...invoicesDescribed,
  ...licensesDescribed,
  ...paymentsDescribed,
  ...refundsDescribed,
  ...ledgerDescribed,
  ...disputesDescribed,
  ...payoutsDescribed,
  ...subscriptionsDescribed,
  ...discountsDescribed,
  ...webhooksDescribed,
  'GET /openapi.json': {
    id: 'getDescription',
    summary: 'This description',
    answers: named('Description', anyObject),
    tagged: true,
    ours: true,
  },
  'GET /docs': {
    id: 'getManual',
    summary: 'The manual, for people',
    answers: 'page',
    tagged: true,
    ours: true,
  },
  'GET /docs/:page': {
    id: 'getManualPage',
    summary: 'A page of the rule book',
    answers: 'page',
    tagged: true,
    ours: true,
  },
  'GET /docs/api/:resource': {
    id: 'getReference',
    summary: 'The routes of a resource, for people',
    answers: 'page',
    tagged: true,
    ours: true,
  },
}

/** The description of these routes, and of the one that serves it. [requests#description] */
export const apiDescription = (routes: readonly Route[]): Definition =>
  describeApi([...routes, own], describedRoutes)

const own = { method: 'GET', pattern: '/openapi.json', access: 'public', bodyKind: 'none' } as const

/** `GET /openapi.json` of these routes, without a key (ours). [requests#description] */
export function openApiRoute(routes: readonly Route[]): Route {
  let reply: Reply | null = null
  // Made when it is first asked for: no start waits for it.
  return route(own.method, own.pattern, own.access, async (request) => {
    reply ??= replyOf(JSON.stringify(apiDescription(routes)))
    return unlessKnown(request, reply)
  })
}

const replyOf = (text: string): Reply => ({
  status: 200,
  raw: text,
  headers: {
    'Content-Type': 'application/json',
    ETag: etagOf(text),
    'Cache-Control': 'no-cache',
  },
})
