import { catalogRoutes } from '../../../src/compose/catalog-routes.ts'
import { balanceLedgerRoutes } from '../../../src/edge/api/balance-ledger.ts'
import { checkoutRoutes } from '../../../src/edge/api/checkouts.ts'
import { clock } from '../../../src/edge/api/clock.ts'
import { creditBalances } from '../../../src/edge/api/credit-balances.ts'
import { customerRoutes } from '../../../src/edge/api/customers.ts'
import { discountRoutes } from '../../../src/edge/api/discounts.ts'
import { disputeRoutes } from '../../../src/edge/api/disputes.ts'
import { events } from '../../../src/edge/api/events.ts'
import { explanationRoutes } from '../../../src/edge/api/explanations.ts'
import { invoiceRoutes } from '../../../src/edge/api/invoices.ts'
import { apiDescription, openApiRoute } from '../../../src/edge/api/openapi.ts'
import { paymentRoutes } from '../../../src/edge/api/payments.ts'
import { payoutRoutes } from '../../../src/edge/api/payouts.ts'
import { portalSessions } from '../../../src/edge/api/portal.ts'
import { refundRoutes } from '../../../src/edge/api/refunds.ts'
import { subscriptionRoutes } from '../../../src/edge/api/subscriptions.ts'
import { walletRoutes } from '../../../src/edge/api/wallets.ts'
import { webhookMessageRoutes } from '../../../src/edge/api/webhook-messages.ts'
import { webhookStream } from '../../../src/edge/api/webhook-stream.ts'
import { webhooks } from '../../../src/edge/api/webhooks.ts'
import type { Route } from '../../../src/edge/http/route.ts'
import { ingestRoute } from '../../../src/edge/ingest/ingest.ts'
import { manualRoutes } from '../../../src/pages/routes.ts'

/** Answers anything with itself: a route is described by what it is, and needs nothing for that. */
const needs: never = new Proxy(() => undefined, { get: () => needs }) as never

/** All routes of the API, with handlers that could not run. */
const apiRoutes: readonly Route[] = [
  ingestRoute(needs),
  ...customerRoutes(needs),
  ...walletRoutes(needs),
  ...portalSessions(needs),
  ...creditBalances(needs),
  ...catalogRoutes(needs),
  ...checkoutRoutes(needs),
  ...paymentRoutes(needs),
  ...invoiceRoutes(needs),
  ...refundRoutes(needs),
  ...disputeRoutes(needs),
  ...balanceLedgerRoutes(needs),
  ...payoutRoutes(needs),
  ...subscriptionRoutes(needs),
  ...discountRoutes(needs),
  ...clock(needs),
  webhookStream(needs),
  ...webhookMessageRoutes(needs),
  ...webhooks(needs),
  ...events(needs),
  ...explanationRoutes(needs),
]

/** The manual, which needs nothing but the description. */
export const manual: readonly Route[] = manualRoutes(() => apiDescription(bareRoutes))

export const bareRoutes: readonly Route[] = [...apiRoutes, ...manual]

export const descriptionRoute: Route = openApiRoute(bareRoutes)
