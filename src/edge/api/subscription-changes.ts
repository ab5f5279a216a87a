import { Fault, refuse } from '../../faults.ts'
import type { PositionNeeds } from '../../operations/events/await-position.ts'
import { awaitPosition } from '../../operations/events/await-position.ts'
import { cancelScheduledChange } from '../../operations/subscriptions/cancel-scheduled-change.ts'
import { changePlan } from '../../operations/subscriptions/change-plan.ts'
import { previewPlanChange } from '../../operations/subscriptions/preview-plan-change.ts'
import type { ReadingNeeds } from '../../operations/subscriptions/read-subscription.ts'
import { readSubscription, readWhole } from '../../operations/subscriptions/read-subscription.ts'
import type { UpdateNeeds } from '../../operations/subscriptions/update-subscription.ts'
import { updateSubscription } from '../../operations/subscriptions/update-subscription.ts'
import type { PlanChangeRequest } from '../../rules/commerce/subscriptions/decide-plan-change.ts'
import { renewed } from '../../rules/commerce/subscriptions/renewal.ts'
import { pastDate } from '../../rules/commerce/subscriptions/update.ts'
import type { Instant } from '../../std/instant.ts'
import { parseInstant } from '../../std/instant.ts'
import type { PlanChange } from '../../wire/plan-change.ts'
import {
  collectsViaLink,
  planChange,
  planChanged,
  planChangePreview,
  planChangeRequest,
} from '../../wire/plan-change.ts'
import { extrasOf } from '../../wire/subscription.ts'
import {
  billingDateIn,
  subscriptionPatch,
  subscriptionUpdate,
  updateProblem,
} from '../../wire/subscription-update.ts'
import { subscriptionView } from '../../wire/subscription-view.ts'
import { parse } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { noContent, ok, route } from '../http/route.ts'
import { parseId } from './parameters.ts'
import { refuseExtras } from './subscription-extras.ts'

export interface SubscriptionChangeNeeds extends ReadingNeeds, UpdateNeeds {
  readonly positions: PositionNeeds
}

/** The routes that change a subscription. [resources#subscriptions] */
export function subscriptionChanges(needs: SubscriptionChangeNeeds): readonly Route[] {
  return [
    route('PATCH', '/subscriptions/:id', 'write', update),
    route('POST', '/subscriptions/:id/change-plan', 'write', change),
    // Stores nothing, so a read-only key will do. [requests#keys-and-modes]
    route('POST', '/subscriptions/:id/change-plan/preview', 'read', preview),
    route('DELETE', '/subscriptions/:id/change-plan/scheduled', 'write', unschedule),
  ]

  async function update(request: Request): Promise<Reply> {
    const body = parse(subscriptionUpdate, request.body)
    const problem = updateProblem(body)
    if (problem !== null) throw new Fault('INVALID_REQUEST_BODY', problem)
    const patch = subscriptionPatch(body, futureOf(billingDateIn(body), request.at))
    const wanted = await wantedOf(request)
    const { subscriptionId } = wanted
    await updateSubscription(needs, request.caller, { subscriptionId, patch })
    const { read, carts, meters } = await readSubscription(needs, request.caller, wanted)
    return ok(subscriptionView(read, carts, meters))
  }

  async function change(request: Request): Promise<Reply> {
    const wanted = wantedPlan(parse(planChange, request.body))
    const { subscriptionId } = await wantedOf(request)
    await changePlan(needs, request.caller, { ...wanted, subscriptionId })
    return ok(planChanged)
  }

  async function preview(request: Request): Promise<Reply> {
    const wanted = wantedPlan(parse(planChange, request.body))
    const { subscriptionId } = await wantedOf(request)
    const asked = { ...wanted, subscriptionId }
    const decided = await previewPlanChange(needs, request.caller, asked)
    const { at, before, product, plan, charged, rest } = decided
    const { waits, mode } = asked
    const { read, carts, meters } = await readWhole(needs, {
      scope: request.caller,
      // For a change that waits, shows the subscription as it will be.
      subscription: waits ? renewed(decided.after, needs.clock.now()) : decided.after,
      at,
    })
    const share = mode === 'prorated_immediately' ? Number(rest.left) / Number(rest.of) : 1
    const charge = {
      subscriptionId: before.subscriptionId,
      effectiveAt: waits ? before.nextBillingDate : at,
      charged,
      plan,
      productName: product.name,
      productDescription: product.description,
      factor: mode === 'do_not_bill' ? null : share,
    }
    return ok(planChangePreview(charge, subscriptionView(read, carts, meters)))
  }

  async function unschedule(request: Request): Promise<Reply> {
    const { subscriptionId } = await wantedOf(request)
    await cancelScheduledChange(needs, request.caller, subscriptionId)
    return noContent
  }

  /** Waits for the caller's own usage, since commands act on it. [events#read-your-own-usage] */
  async function wantedOf(request: Request): Promise<{ subscriptionId: string; at: Instant }> {
    await awaitPosition(needs.positions, request.header('sluice-after'))
    return { subscriptionId: parseId(request, 'id', 'subscription'), at: request.at }
  }
}

function futureOf(text: string | null, at: Instant): Instant | null {
  if (text === null) return null
  const date = parseInstant(text)
  refuse(date === null || date <= at ? pastDate : null)
  return date
}

function wantedPlan(body: PlanChange): Omit<PlanChangeRequest, 'subscriptionId'> {
  refuseExtras(extrasOf(body))
  if (collectsViaLink(body)) {
    throw new Fault(
      'UNSUPPORTED_ACTION',
      'collect_via_payment_link needs a payment processor; leave it out.',
    )
  }
  return planChangeRequest(body)
}
