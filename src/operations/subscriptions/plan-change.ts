import { Fault, orNotFound, refuse } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
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
import { attachable } from './attachable.ts'
import type { SubscriptionDesk } from './change-subscription.ts'
import { refuseDueCycle } from './change-subscription.ts'

export interface PlanChangeNeeds extends SubscriptionDesk {
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
  readonly at: Instant
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
 * Decides a plan change. Refuses: 404 subscription or product; 410 archived product, or one that
 * brings a deleted credit entitlement in; 409 a change that waits already; 422 a subscription that
 * is not active or is to be cancelled, a mode that cannot wait, a product, quantity or currency
 * that does not fit. [contract B.5, rulings 4, 44]
 */
export async function decidePlanChange(
  needs: PlanChangeNeeds,
  scope: Scope,
  request: PlanChangeRequest,
): Promise<DecidedChange> {
  const { subscriptionId, productId, mode, at } = request
  const before = orNotFound(
    await needs.subscriptions.find(scope, subscriptionId),
    'subscription',
    subscriptionId,
  )
  const product = orNotFound(await needs.products.get(scope, productId), 'product', productId)
  refuseStates(before, product, request)
  refuseDueCycle(before, at)
  const plan = await planFor(needs, scope, { before, product, quantity: request.quantity })
  if (plan.currency !== before.currency) {
    throw new Fault(
      'UNSUPPORTED_ACTION',
      `This subscription is billed in ${before.currency}; choose a product in that currency.`,
    )
  }
  refuse(metadataRejection(request.metadata ?? {}))
  const rest = restOf(openCycle(before), at)
  const paid = isInTrial(before) ? 0 : before.recurringPreTaxAmount
  const charge = chargeOf(mode, { from: paid, to: plan.recurringPreTaxAmount }, rest)
  const charged = chargedTo(before.owed, charge)
  return {
    before,
    after: afterOf(needs, before, { request, product, plan, owed: charged.owed }),
    product,
    plan,
    charged,
    rest,
  }
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
  { newId }: PlanChangeNeeds,
  before: Subscription,
  of: {
    readonly request: PlanChangeRequest
    readonly product: Product
    readonly plan: SubscribedPlan
    readonly owed: number
  },
): Subscription {
  const { mode, at, waits } = of.request
  if (!waits) return { ...changedPlan(before, of.plan, { mode, at }), owed: of.owed }
  const scheduled = {
    id: newId('spc'),
    createdAt: at,
    productName: of.product.name,
    productDescription: of.product.description,
    plan: of.plan,
  }
  return scheduledPlan(before, scheduled, at)
}
