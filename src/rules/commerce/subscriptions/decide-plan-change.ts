import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import type { CreditEntitlement } from '../catalog/credit-entitlement.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import { metadataRejection } from '../catalog/metadata.ts'
import type { Product } from '../catalog/product.ts'
import { archivedRejection } from '../catalog/product-change.ts'
import type { ProrationMode } from '../proration-mode.ts'
import { attachableRejection } from './attachable.ts'
import { isInTrial } from './lifecycle.ts'
import type { Charged } from './owed.ts'
import { chargedTo } from './owed.ts'
import type { Rest } from './plan-change.ts'
import { changedPlan, chargeOf, openCycle, restOf, scheduledPlan } from './plan-change.ts'
import { planOf } from './start.ts'
import type { SubscribedPlan, Subscription } from './subscription.ts'
import type { SubscriptionRejection } from './subscription-rejection.ts'
import { isRejection } from './subscription-rejection.ts'

export interface PlanChangeRequest {
  readonly subscriptionId: string
  readonly productId: string
  readonly quantity: number
  readonly mode: ProrationMode
  readonly waits: boolean
  /** Whether it replaces a change that is already scheduled. */
  readonly replaces: boolean
  /** Metadata of the payment that the change makes; checked here, and stored with payments. */
  readonly metadata: CatalogMetadata | null
}

/** A plan change with all objects that it names, before its time is known. */
export interface WantedChange {
  readonly request: PlanChangeRequest
  readonly before: Subscription
  readonly product: Product
  readonly plan: SubscribedPlan
  /** The id of the change, if it is scheduled. */
  readonly scheduledId: string
}

/** A plan change as it would be at a moment; nothing is written yet. */
export interface DecidedChange {
  readonly before: Subscription
  readonly after: Subscription
  readonly product: Product
  readonly plan: SubscribedPlan
  /** What is charged, now or at the next billing date. */
  readonly charged: Charged
  readonly rest: Rest
}

export interface PlanChangeFacts {
  readonly before: Subscription
  readonly request: PlanChangeRequest
  readonly product: Product
  /** Every entitlement that the product maps. */
  readonly entitlements: ReadonlyMap<string, CreditEntitlement>
  readonly newId: NewId
}

/**
 * Whether the plan can be changed as asked. Refuses an archived product, or one that brings in a
 * deleted credit entitlement; a second scheduled change; a subscription that is not active or is
 * about to be cancelled; a mode that cannot be scheduled; a product, quantity or currency that does
 * not fit. [resources#subscriptions, requests#refusals, credits#deleted-entitlements]
 */
export function wantedChange(facts: PlanChangeFacts): WantedChange | SubscriptionRejection {
  const { before, request, product, entitlements } = facts
  const carried = before.cart.map((item) => item.creditEntitlementId)
  const rejected = stateRejection(facts) ?? attachableRejection(product, entitlements, carried)
  if (rejected !== null) return rejected
  const plan = planOf({ product, entitlements, quantity: request.quantity })
  if (isRejection(plan)) return plan
  if (plan.currency !== before.currency) {
    const problem = `This subscription is billed in ${before.currency}; choose a product in that currency.`
    return { code: 'UNSUPPORTED_ACTION', problem }
  }
  const rejection = metadataRejection(request.metadata ?? {})
  if (rejection !== null) return rejection
  return { request, before, product, plan, scheduledId: facts.newId('spc') }
}

function stateRejection({
  before,
  product,
  request,
}: PlanChangeFacts): SubscriptionRejection | null {
  const archived = archivedRejection(product)
  if (archived !== null) return archived
  if (before.scheduled !== null && !request.replaces) {
    return {
      code: 'SCHEDULED_PLAN_CHANGE_EXISTS',
      problem:
        'A plan change waits for the next billing date: cancel it first, or send cancel_scheduled_change_plan.',
    }
  }
  if (before.status !== 'active') {
    return {
      code: 'INACTIVE_SUBSCRIPTION_PLAN_CHANGE_NOT_SUPPORTED',
      problem: `The plan of an active subscription can be changed; this one is ${before.status}.`,
    }
  }
  if (before.cancellation.scheduled) {
    return {
      code: 'PLAN_CHANGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION',
      problem:
        'This subscription is to be cancelled at its next billing date: take that back first.',
    }
  }
  if (request.waits && request.mode !== 'full_immediately') {
    return {
      code: 'INVALID_PRORATION_MODE_WITH_NEXT_BILLING_DATE',
      problem: 'effective_at "next_billing_date" needs proration_billing_mode "full_immediately".',
    }
  }
  return null
}

/** Refuses where no scheduled change can be taken back. */
export const unscheduledRejection = ({ scheduled }: Subscription): SubscriptionRejection | null =>
  scheduled === null
    ? {
        code: 'SCHEDULED_PLAN_CHANGE_NOT_FOUND',
        problem: 'No plan change waits for the next billing date of this subscription.',
      }
    : null

/** The change at that moment, when everything that was due before it is applied. */
export function decidePlanChange(wanted: WantedChange, at: Instant): DecidedChange {
  const { request, before, product, plan } = wanted
  const rest = restOf(openCycle(before), at)
  const paid = isInTrial(before) ? 0 : before.recurringPreTaxAmount
  const charge = chargeOf(request.mode, { from: paid, to: plan.recurringPreTaxAmount }, rest)
  const charged = chargedTo(before.owed, charge)
  const after = afterOf(wanted, { at, owed: charged.owed })
  return { before, after, product, plan, charged, rest }
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
