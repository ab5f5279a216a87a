import { Fault } from '../../faults.ts'
import type { PositionNeeds } from '../../operations/events/await-position.ts'
import { awaitPosition } from '../../operations/events/await-position.ts'
import {
  listSubscriptions,
  readSubscription,
} from '../../operations/subscriptions/read-subscription.ts'
import { readUsageHistory } from '../../operations/subscriptions/read-usage-history.ts'
import type { SubscribeNeeds } from '../../operations/subscriptions/subscribe.ts'
import { subscribe } from '../../operations/subscriptions/subscribe.ts'
import { subscriptionStatuses } from '../../rules/commerce/subscriptions/subscription.ts'
import { creditUsageView } from '../../wire/credit-usage.ts'
import { asksForLink } from '../../wire/payment-create.ts'
import { page } from '../../wire/schemas.ts'
import { subscriptionCreate } from '../../wire/subscription.ts'
import {
  checkoutOfSubscription,
  inSubscriptionWords,
  subscriptionOpened,
} from '../../wire/subscription-create.ts'
import { subscriptionListView, subscriptionView } from '../../wire/subscription-view.ts'
import { usageHistoryItem } from '../../wire/usage-history.ts'
import { parse, parseChoice, parseFlag, parsePage, parseTime } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route, scanning } from '../http/route.ts'
import { checkoutLink, methodIn, requestOf } from './checkouts.ts'
import { parseText } from './parameters.ts'
import type { SubscriptionChangeNeeds } from './subscription-changes.ts'
import { subscriptionChanges } from './subscription-changes.ts'

export interface SubscriptionRouteNeeds extends SubscriptionChangeNeeds, SubscribeNeeds {
  readonly positions: PositionNeeds
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
}

/** [resources#subscriptions] */
export function subscriptionRoutes(needs: SubscriptionRouteNeeds): readonly Route[] {
  return [
    route('GET', '/subscriptions', 'read', list),
    route('POST', '/subscriptions', 'write', create),
    route('GET', '/subscriptions/:id', 'read', retrieve),
    ...subscriptionChanges(needs),
    route('GET', '/subscriptions/:id/credit-usage', 'read', creditUsage),
    scanning(route('GET', '/subscriptions/:id/usage-history', 'read', history)),
  ]

  async function list(request: Request): Promise<Reply> {
    const wanted = parsePage(request)
    const filter = {
      brandId: request.query('brand_id'),
      customerId: request.query('customer_id'),
      productId: request.query('product_id'),
      status: parseChoice(request, 'status', subscriptionStatuses),
      cancelling: parseFlag(request, 'cancel_at_next_billing_date'),
      createdFrom: parseTime(request, 'created_at_gte'),
      createdTo: parseTime(request, 'created_at_lte'),
    }
    const found = await listSubscriptions(needs, request.caller, filter, {
      ...wanted,
      at: request.at,
    })
    return ok(page(found.map(subscriptionListView)))
  }

  async function create(request: Request): Promise<Reply> {
    const body = parse(subscriptionCreate, request.body)
    const checkout = checkoutOfSubscription(body)
    const asked = requestOf(checkout)
    const paymentMethodId = methodIn(checkout, true)
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const opened = await subscribe(needs, request.caller, {
      request: asked,
      linkTo: asksForLink(body) ? checkoutLink(request, needs.publicUrl, body) : null,
      paymentMethodId,
    }).catch(inItsWords)
    return ok(subscriptionOpened(opened))
  }

  async function retrieve(request: Request): Promise<Reply> {
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const wanted = { subscriptionId: parseId(request, 'id', 'subscription'), at: request.at }
    const { read, carts, meters } = await readSubscription(needs, request.caller, wanted)
    return ok(subscriptionView(read, carts, meters))
  }

  async function creditUsage(request: Request): Promise<Reply> {
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const wanted = { subscriptionId: parseId(request, 'id', 'subscription'), at: request.at }
    const { read, carts } = await readSubscription(needs, request.caller, wanted)
    return ok(creditUsageView(read.subscription.subscriptionId, carts))
  }

  async function history(request: Request): Promise<Reply> {
    const query = {
      ...parsePage(request),
      from: parseTime(request, 'start_date'),
      to: parseTime(request, 'end_date'),
      meterId: parseText(request, 'meter_id'),
      subscriptionId: parseId(request, 'id', 'subscription'),
      at: request.at,
    }
    if (query.from !== null && query.to !== null && query.from > query.to) {
      throw new Fault('INVALID_REQUEST_PARAMETERS', 'start_date must not be after end_date.')
    }
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const { subscription, periods, meters } = await readUsageHistory(needs, request.caller, query)
    return ok(page(periods.map((each) => usageHistoryItem(each, subscription.currency, meters))))
  }
}

/** A refusal names the fields of this request, and not those of a cart. */
function inItsWords(error: unknown): never {
  if (!(error instanceof Fault) || error.status !== 422) throw error
  throw new Fault(error.code, inSubscriptionWords(error.message))
}
