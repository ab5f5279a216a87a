import { Fault, orNotFound, refuse } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { endOf } from '../../rules/commerce/billing-dates.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import { isInTrial } from '../../rules/commerce/subscriptions/lifecycle.ts'
import type { Charged } from '../../rules/commerce/subscriptions/owed.ts'
import { chargedTo } from '../../rules/commerce/subscriptions/owed.ts'
import type { ProrationMode, Rest } from '../../rules/commerce/subscriptions/plan-change.ts'
import {
  changedPlan,
  chargeOf,
  openCycle,
  restOf,
  scheduledPlan,
} from '../../rules/commerce/subscriptions/plan-change.ts'
import { planOf } from '../../rules/commerce/subscriptions/start.ts'
import type {
  SubscribedPlan,
  Subscription,
} from '../../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import type { CommandDesk } from '../boundaries/due-first.ts'
import { attachable } from './attachable.ts'

export interface PlanChangeNeeds extends CommandDesk {
  readonly products: Products
  readonly creditEntitlements: CreditEntitlements
}

export interface PlanChangeRequest {
  readonly subscriptionId: string
  readonly productId: string
  readonly quantity: number
  readonly mode: ProrationMode
  readonly waits: boolean
  /** Whether a change that waits already is replaced. */
  readonly replaces: boolean
  /** Of the payment that the change makes; it is checked, and kept with payments. */
  readonly metadata: Readonly<Record<string, string | number | boolean>> | null
}

/** A plan change with all that it names, before it has a time. */
export interface WantedChange {
  readonly request: PlanChangeRequest
  readonly before: Subscription
  readonly product: Product
  readonly plan: SubscribedPlan
  /** Of the change, where it waits. */
  readonly scheduledId: string
}

/** A plan change as it would be: nothing is written yet. */
export interface DecidedChange {
  readonly before: Subscription
  readonly after: Subscription
  readonly product: Product
  readonly plan: SubscribedPlan
  /** Now, or at the next billing date. */
  readonly charged: Charged
  readonly rest: Rest
}

/**
 * A plan change as it would be now. Refuses what preparing refuses, and 503 while the end of a
 * cycle is due: the change would wait for it, a preview changes nothing.
 */
export async function previewPlanChange(
  needs: PlanChangeNeeds,
  scope: Scope,
  request: PlanChangeRequest,
): Promise<DecidedChange & { readonly at: Instant }> {
  const { subscriptionId } = request
  const found = await needs.subscriptions.find(scope, subscriptionId)
  const before = orNotFound(found, 'subscription', subscriptionId)
  const wanted = await preparePlanChange(needs, scope, { before, request })
  const at = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  if (endOf(before) <= at) {
    throw new Fault('UNAVAILABLE', 'The end of a billing cycle is being applied; try again.', {
      retryAfterSeconds: 1,
    })
  }
  return { ...decidePlanChange(wanted, at), at }
}

/**
 * Prepares a plan change. Refuses: 404 product; 410 archived product, or one that brings a deleted
 * credit entitlement in; 409 a change that waits already; 422 a subscription that is not active or
 * is to be cancelled, a mode that cannot wait, a product, quantity or currency that does not fit.
 * [resources#subscriptions, requests#refusals, credits#deleted-entitlements]
 */
export async function preparePlanChange(
  needs: PlanChangeNeeds,
  scope: Scope,
  { before, request }: { readonly before: Subscription; readonly request: PlanChangeRequest },
): Promise<WantedChange> {
  const { productId, quantity } = request
  const product = orNotFound(await needs.products.get(scope, productId), 'product', productId)
  refuseStates(before, product, request)
  const plan = await planFor(needs, scope, { before, product, quantity })
  if (plan.currency !== before.currency) {
    throw new Fault(
      'UNSUPPORTED_ACTION',
      `This subscription is billed in ${before.currency}; choose a product in that currency.`,
    )
  }
  refuse(metadataRejection(request.metadata ?? {}))
  return { request, before, product, plan, scheduledId: needs.newId('spc') }
}

/** What the change is at that moment, when what was due before it is applied. */
export function decidePlanChange(wanted: WantedChange, at: Instant): DecidedChange {
  const { request, before, product, plan } = wanted
  const rest = restOf(openCycle(before), at)
  const paid = isInTrial(before) ? 0 : before.recurringPreTaxAmount
  const charge = chargeOf(request.mode, { from: paid, to: plan.recurringPreTaxAmount }, rest)
  const charged = chargedTo(before.owed, charge)
  const changed = afterOf(wanted, { at, owed: charged.owed })
  return { before, after: changed, product, plan, charged, rest }
}

function refuseStates(before: Subscription, product: Product, request: PlanChangeRequest): void {
  if (product.archivedAt !== null) {
    throw new Fault(
      'PRODUCT_IS_DELETED',
      `The product '${product.productId}' is archived; choose another.`,
    )
  }
  if (before.scheduled !== null && !request.replaces) {
    throw new Fault(
      'SCHEDULED_PLAN_CHANGE_EXISTS',
      'A plan change waits for the next billing date: cancel it first, or send cancel_scheduled_change_plan.',
    )
  }
  if (before.status !== 'active') {
    throw new Fault(
      'INACTIVE_SUBSCRIPTION_PLAN_CHANGE_NOT_SUPPORTED',
      `The plan of an active subscription can be changed; this one is ${before.status}.`,
    )
  }
  if (before.cancellation.scheduled) {
    throw new Fault(
      'PLAN_CHANGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION',
      'This subscription is to be cancelled at its next billing date: take that back first.',
    )
  }
  if (request.waits && request.mode !== 'full_immediately') {
    throw new Fault(
      'INVALID_PRORATION_MODE_WITH_NEXT_BILLING_DATE',
      'effective_at "next_billing_date" needs proration_billing_mode "full_immediately".',
    )
  }
}

async function planFor(
  { creditEntitlements }: PlanChangeNeeds,
  scope: Scope,
  of: { readonly before: Subscription; readonly product: Product; readonly quantity: number },
): Promise<SubscribedPlan> {
  const { before, product, quantity } = of
  const carried = before.cart.map((item) => item.creditEntitlementId)
  const entitlements = await attachable(creditEntitlements, scope, { product, carried })
  const plan = planOf({ product, entitlements, quantity })
  if ('refused' in plan) throw new Fault(plan.refused, plan.problem)
  return plan
}

function afterOf(
  { request, before, product, plan, scheduledId }: WantedChange,
  { at, owed }: { readonly at: Instant; readonly owed: number },
): Subscription {
  const { mode, waits } = request
  if (!waits) return { ...changedPlan(before, plan, { mode, at }), owed }
  const scheduled = {
    id: scheduledId,
    createdAt: at,
    productName: product.name,
    productDescription: product.description,
    plan,
  }
  return scheduledPlan(before, scheduled, at)
}
