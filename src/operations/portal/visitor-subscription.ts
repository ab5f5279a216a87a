import { Fault, notFound, orNotFound } from '../../faults.ts'
import { baseAmount } from '../../rules/commerce/catalog/price.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { PlanChangeRequest } from '../../rules/commerce/subscriptions/plan-change-request.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { cancelScheduledChange } from '../subscriptions/cancel-scheduled-change.ts'
import { changePlan } from '../subscriptions/change-plan.ts'
import { previewPlanChange } from '../subscriptions/preview-plan-change.ts'
import { updateSubscription } from '../subscriptions/update-subscription.ts'
import type { PortalVisit } from './portal-link.ts'
import type { ShowPortalNeeds } from './show-portal.ts'
import { plansFor } from './show-portal.ts'

/** A subscription of the visitor. 404 for another's, as for one that is not there. */
export async function visitorSubscription(
  { subscriptions }: Pick<ShowPortalNeeds, 'subscriptions'>,
  { scope, customer }: PortalVisit,
  subscriptionId: string,
): Promise<Subscription> {
  const found = await subscriptions.find(scope, subscriptionId)
  if (found?.customerId === customer.customerId) return found
  throw notFound('subscription', subscriptionId)
}

/**
 * Ends it with its open cycle, or at once where that is paused and has no end, or takes that back.
 * What is so already stays so.
 */
export async function cancelVisitorSubscription(
  needs: ShowPortalNeeds,
  visit: PortalVisit,
  { subscriptionId, ends }: { readonly subscriptionId: string; readonly ends: boolean },
): Promise<void> {
  const { cancellation, status } = await visitorSubscription(needs, visit, subscriptionId)
  const cancelReason = 'cancelled_by_customer'
  if (ends && status === 'paused') {
    const patch = { status: 'cancelled', cancelReason } as const
    await updateSubscription(needs, visit.scope, { subscriptionId, patch })
    return
  }
  if (cancellation.scheduled === ends) return
  await updateSubscription(needs, visit.scope, {
    subscriptionId,
    patch: {
      cancelAtNextBillingDate: ends,
      ...(ends ? { cancelReason } : {}),
    },
  })
}

/** Takes back a change of the plan that waits for the next billing date. */
export async function unscheduleVisitorPlan(
  needs: ShowPortalNeeds,
  visit: PortalVisit,
  subscriptionId: string,
): Promise<void> {
  await visitorSubscription(needs, visit, subscriptionId)
  await cancelScheduledChange(needs, visit.scope, subscriptionId)
}

/** A plan, and what changing to it would charge now, in the currency's smallest unit. */
export interface OfferedPlan {
  readonly product: Product
  readonly chargeNow: number
  /** Whether it begins with the next cycle. */
  readonly waits: boolean
}

/** The plans to which the visitor may change, with what each would charge. [payments#portal] */
export async function offeredPlans(
  needs: ShowPortalNeeds,
  visit: PortalVisit,
  subscription: Subscription,
): Promise<readonly OfferedPlan[]> {
  const products = await plansFor(needs, visit, subscription)
  const offers = await Promise.all(
    products.map(async (product) => {
      const request = await requestFor(needs, visit, { subscription, product })
      const previewed = await previewPlanChange(needs, visit.scope, request).catch(unlessRefusal)
      if (previewed === null) return []
      const { waits } = previewed.wanted
      return [{ product, waits, chargeNow: waits ? 0 : (previewed.cart?.total ?? 0) }]
    }),
  )
  return offers.flat()
}

/** A plan that is refused to the visitor is not offered. */
function unlessRefusal(error: unknown): null {
  if (error instanceof Fault && error.status < 500) return null
  throw error
}

/** Changes the plan of the visitor to one that is offered; 404 for any other. */
export async function changeVisitorPlan(
  needs: ShowPortalNeeds,
  visit: PortalVisit,
  { subscriptionId, productId }: { readonly subscriptionId: string; readonly productId: string },
): Promise<void> {
  const subscription = await visitorSubscription(needs, visit, subscriptionId)
  const plans = await plansFor(needs, visit, subscription)
  const product = plans.find((each) => each.productId === productId) ?? null
  const request = await requestFor(needs, visit, {
    subscription,
    product: orNotFound(product, 'plan', productId),
  })
  await changePlan(needs, visit.scope, request)
}

/**
 * How the change happens: as the collection says, else upgrades at once and for the difference, and
 * downgrades at the next billing date. [resources#product-collections]
 */
async function requestFor(
  { collections }: ShowPortalNeeds,
  { scope }: PortalVisit,
  { subscription, product }: { readonly subscription: Subscription; readonly product: Product },
): Promise<PlanChangeRequest> {
  const { subscriptionId, quantity } = subscription
  const collection =
    product.collectionId === null ? null : await collections.get(scope, product.collectionId)
  if (collection === null) throw new Fault('NOT_FOUND', 'This plan is not offered any more.')
  const { planChanges } = collection
  const isUpgrade = baseAmount(product.price) * quantity >= subscription.recurringPreTaxAmount
  const [effective, mode] = isUpgrade
    ? [planChanges.effectiveAtOnUpgrade, planChanges.prorationOnUpgrade]
    : [planChanges.effectiveAtOnDowngrade ?? 'next_billing_date', planChanges.prorationOnDowngrade]
  const waits = effective === 'next_billing_date'
  return {
    subscriptionId,
    productId: product.productId,
    quantity,
    // The one mode that can wait: the next cycle is a whole one of the new plan.
    mode: waits ? 'full_immediately' : (mode ?? 'difference_immediately'),
    waits,
    replaces: true,
    // Those that go with the other plan, too.
    addons: subscription.addons.filter(({ addonId }) => product.addonIds.includes(addonId)),
    discountCodes: null,
    onFailure: null,
    metadata: null,
  }
}
