import { Fault, notFound } from '../../faults.ts'
import type { PositionNeeds } from '../../operations/events/await-position.ts'
import { awaitPosition } from '../../operations/events/await-position.ts'
import { createSubscription } from '../../operations/subscriptions/create-subscription.ts'
import type { ReadingNeeds } from '../../operations/subscriptions/read-subscription.ts'
import {
  listSubscriptions,
  readSubscription,
} from '../../operations/subscriptions/read-subscription.ts'
import { readUsageHistory } from '../../operations/subscriptions/read-usage-history.ts'
import type { UpdateNeeds } from '../../operations/subscriptions/update-subscription.ts'
import type { SubscribeRequest } from '../../rules/commerce/subscriptions/subscribe-request.ts'
import { subscriptionStatuses } from '../../rules/commerce/subscriptions/subscription.ts'
import { creditUsageView } from '../../wire/credit-usage.ts'
import { page } from '../../wire/schemas.ts'
import type { SubscriptionCreate } from '../../wire/subscription.ts'
import {
  extrasOf,
  paymentExtrasOf,
  subscribeRequest,
  subscriber,
  subscriptionCreate,
  subscriptionCreated,
} from '../../wire/subscription.ts'
import { subscriptionListView, subscriptionView } from '../../wire/subscription-view.ts'
import { usageHistoryItem } from '../../wire/usage-history.ts'
import { parse, parseChoice, parseFlag, parsePage, parseTime } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route, scanning } from '../http/route.ts'
import { parseId, parseText } from './parameters.ts'
import { subscriptionChanges } from './subscription-changes.ts'
import { refuseExtras } from './subscription-extras.ts'

export interface SubscriptionRouteNeeds extends ReadingNeeds, UpdateNeeds {
  readonly positions: PositionNeeds
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
    refuseUnknown(body)
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const wanted = { ...subscribeRequest(body), customer: identified(body) }
    const { subscription, customer } = await createSubscription(needs, request.caller, wanted)
    return ok(subscriptionCreated(subscription, customer))
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

/** Refuses what would need a payment processor, or names what does not exist. */
function refuseUnknown(body: SubscriptionCreate): void {
  refuseExtras(extrasOf(body))
  const { paymentMethodId, isOnDemand, hasProductCart } = paymentExtrasOf(body)
  if (paymentMethodId !== null) throw notFound('payment method', paymentMethodId)
  if (isOnDemand) {
    throw new Fault('UNSUPPORTED_ACTION', 'on_demand needs a payment processor; leave it out.')
  }
  if (hasProductCart) {
    throw new Fault(
      'UNSUPPORTED_ACTION',
      'one_time_product_cart needs a payment processor; leave it out.',
    )
  }
}

function identified(body: SubscriptionCreate): SubscribeRequest['customer'] {
  const customer = subscriber(body)
  if ('problem' in customer) throw new Fault('INVALID_REQUEST_BODY', customer.problem)
  return customer
}
