import { Fault, unlessRefused } from '../../faults.ts'
import type { PositionNeeds } from '../../operations/events/await-position.ts'
import { awaitPosition } from '../../operations/events/await-position.ts'
import { cancelScheduledChange } from '../../operations/subscriptions/cancel-scheduled-change.ts'
import { changePlan } from '../../operations/subscriptions/change-plan.ts'
import { chargeSubscription } from '../../operations/subscriptions/charge-subscription.ts'
import { openMethodUpdate } from '../../operations/subscriptions/open-method-update.ts'
import type { PlanChangeNeeds } from '../../operations/subscriptions/prepare-plan-change.ts'
import { previewPlanChange } from '../../operations/subscriptions/preview-plan-change.ts'
import type { ReadingNeeds } from '../../operations/subscriptions/read-subscription.ts'
import { readSubscription, readWhole } from '../../operations/subscriptions/read-subscription.ts'
import { updatePaymentMethod } from '../../operations/subscriptions/update-payment-method.ts'
import type { UpdateNeeds } from '../../operations/subscriptions/update-subscription.ts'
import { updateSubscription } from '../../operations/subscriptions/update-subscription.ts'
import type { PlanChangeRequest } from '../../rules/commerce/subscriptions/plan-change-request.ts'
import type { Instant } from '../../std/instant.ts'
import {
  demandedCharge,
  maySpendWallet,
  subscriptionCharge,
  subscriptionCharged,
  wantsToSellMoney,
} from '../../wire/on-demand.ts'
import {
  methodProblem,
  paymentMethodUpdate,
  paymentMethodUpdated,
  returnUrlIn,
  savedMethodIn,
} from '../../wire/payment-method-update.ts'
import type { PlanChange } from '../../wire/plan-change.ts'
import {
  collectsViaLink,
  planChange,
  planChanged,
  planChangeProblem,
  planChangeRequest,
} from '../../wire/plan-change.ts'
import { planChangePreview } from '../../wire/plan-change-preview.ts'
import { wantedPatch } from '../../wire/subscription-patch.ts'
import { subscriptionUpdate } from '../../wire/subscription-update.ts'
import { subscriptionView } from '../../wire/subscription-view.ts'
import { parseIdempotencyKey } from '../http/idempotency-key.ts'
import { parse } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { noContent, ok, route } from '../http/route.ts'
import { checkoutLink, refuseUnlessCards } from './checkouts.ts'

export interface SubscriptionChangeNeeds extends ReadingNeeds, UpdateNeeds, PlanChangeNeeds {
  readonly positions: PositionNeeds
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
}

/** The routes that change a subscription. [resources#subscriptions] */
export function subscriptionChanges(needs: SubscriptionChangeNeeds): readonly Route[] {
  return [
    route('PATCH', '/subscriptions/:id', 'write', update),
    route('POST', '/subscriptions/:id/charge', 'write', charge),
    route('POST', '/subscriptions/:id/change-plan', 'write', change),
    // Stores nothing, so a read-only key will do. [requests#keys-and-modes]
    route('POST', '/subscriptions/:id/change-plan/preview', 'read', preview),
    route('DELETE', '/subscriptions/:id/change-plan/scheduled', 'write', unschedule),
    route('POST', '/subscriptions/:id/update-payment-method', 'write', changeMethod),
  ]

  async function update(request: Request): Promise<Reply> {
    const patch = unlessRefused(wantedPatch(parse(subscriptionUpdate, request.body), request.at))
    const wanted = await wantedOf(request)
    const { subscriptionId } = wanted
    await updateSubscription(needs, request.caller, { subscriptionId, patch })
    const { read, carts, meters } = await readSubscription(needs, request.caller, wanted)
    return ok(subscriptionView(read, carts, meters))
  }

  async function charge(request: Request): Promise<Reply> {
    const body = parse(subscriptionCharge, request.body)
    if (wantsToSellMoney(body)) {
      const problem =
        'customer_balance_config.allow_customer_credits_purchase: no money for wallets is sold here; leave it out.'
      throw new Fault('UNSUPPORTED_ACTION', problem)
    }
    const idempotencyKey = parseIdempotencyKey(request)
    const { subscriptionId } = await wantedOf(request)
    const payment = await chargeSubscription(needs, request.caller, {
      ...demandedCharge(body),
      subscriptionId,
      metadata: body.metadata ?? null,
      spendsWallet: maySpendWallet(body),
      idempotencyKey,
    })
    return ok(subscriptionCharged(payment))
  }

  async function change(request: Request): Promise<Reply> {
    const body = parse(planChange, request.body)
    const wanted = wantedPlan(body)
    const { subscriptionId } = await wantedOf(request)
    const linkTo = collectsViaLink(body) ? checkoutLink(request, needs.publicUrl, {}) : null
    const asked = { ...wanted, linkTo, subscriptionId }
    return ok(planChanged(await changePlan(needs, request.caller, asked)))
  }

  async function preview(request: Request): Promise<Reply> {
    const wanted = wantedPlan(parse(planChange, request.body))
    const { subscriptionId } = await wantedOf(request)
    const asked = { ...wanted, subscriptionId }
    const decided = await previewPlanChange(needs, request.caller, asked)
    const { at, planned: subscription } = decided
    const scope = request.caller
    const { read, carts, meters } = await readWhole(needs, { scope, subscription, at })
    return ok(planChangePreview(decided, subscriptionView(read, carts, meters)))
  }

  async function unschedule(request: Request): Promise<Reply> {
    const { subscriptionId } = await wantedOf(request)
    await cancelScheduledChange(needs, request.caller, subscriptionId)
    return noContent
  }

  async function changeMethod(request: Request): Promise<Reply> {
    const body = parse(paymentMethodUpdate, request.body)
    const paymentMethodId = savedMethodIn(body)
    const problem = methodProblem(body)
    if (problem !== null) throw new Fault('INVALID_REQUEST_BODY', problem)
    refuseUnlessCards(body)
    const { subscriptionId } = await wantedOf(request)
    if (paymentMethodId === null) {
      const linkTo = checkoutLink(request, needs.publicUrl, {})
      const returnUrl = returnUrlIn(body)
      const asked = { subscriptionId, returnUrl, linkTo }
      return ok(
        paymentMethodUpdated((await openMethodUpdate(needs, request.caller, asked)).payment),
      )
    }
    const wanted = { subscriptionId, paymentMethodId }
    return ok(paymentMethodUpdated(await updatePaymentMethod(needs, request.caller, wanted)))
  }

  /** Waits for the caller's own usage, since commands act on it. [events#read-your-own-usage] */
  async function wantedOf(request: Request): Promise<{ subscriptionId: string; at: Instant }> {
    await awaitPosition(needs.positions, request.header('sluice-after'))
    return { subscriptionId: parseId(request, 'id', 'subscription'), at: request.at }
  }
}

function wantedPlan(body: PlanChange): Omit<PlanChangeRequest, 'subscriptionId'> {
  const problem = planChangeProblem(body)
  if (problem !== null) throw new Fault('INVALID_REQUEST_BODY', problem)
  return planChangeRequest(body)
}
