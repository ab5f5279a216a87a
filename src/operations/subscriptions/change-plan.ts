import { refuse } from '../../faults.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { heldRefusal } from '../../rules/commerce/discounts/redeem.ts'
import { newAttempt } from '../../rules/commerce/payments/attempt.ts'
import { newSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { paymentLine } from '../../rules/commerce/payments/priced-lines.ts'
import { settlingRequest } from '../../rules/commerce/payments/settling-session.ts'
import type { PlanChanged } from '../../rules/commerce/subscriptions/plan-change-commands.ts'
import { planChangeAt } from '../../rules/commerce/subscriptions/plan-change-commands.ts'
import type { PlanChangeRequest } from '../../rules/commerce/subscriptions/plan-change-request.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../std/instant.ts'
import { planBought } from '../boundaries/renewal-payment.ts'
import { attemptRows } from '../payments/ask-processor.ts'
import { carryOut } from '../payments/carry-out.ts'
import { heldUses } from '../payments/discount-uses.ts'
import type { PreparedChange } from './change-subscription.ts'
import { commandSubscription } from './command-subscription.ts'
import { openedOn, openedRows } from './open-method-update.ts'
import type { PlanChangeNeeds, PreparedPlan } from './prepare-plan-change.ts'
import { preparePlanChange } from './prepare-plan-change.ts'

/** A plan change, and by which page it is paid. */
export interface CollectedPlanChange extends PlanChangeRequest {
  /** The address of a session's page; absent: the saved method is charged. */
  readonly linkTo?: ((sessionId: string) => string) | null
}

/**
 * Changes the plan at once, or at the next billing date, and charges what that costs, or opens a
 * page on which somebody pays it, and with it makes the change. Answers what has become of the
 * payment; null: nothing was to be charged. Refuses what preparePlanChange() refuses, and 503 while
 * others hold the last use of a code.
 * [resources#subscriptions, subscriptions#cycles, subscriptions#paying-for-a-change]
 */
export async function changePlan(
  needs: PlanChangeNeeds,
  scope: Scope,
  { linkTo = null, ...request }: CollectedPlanChange,
): Promise<Payment | null> {
  let attempted: Payment | null = null
  await commandSubscription(needs, scope, {
    operation: 'change_plan',
    subscriptionId: request.subscriptionId,
    prepare: async (before) => {
      attempted = null
      const prepared = await preparePlanChange(needs, scope, { before, request })
      const { wanted } = prepared
      for (const discount of wanted.redeemed) refuse(heldRefusal(discount))
      return {
        entitlementIds: wanted.waits ? [] : planEntitlements(prepared),
        mayCarry: {
          productId: wanted.plan.productId,
          cart: wanted.plan.cart,
          meterIds: wanted.plan.links.map(({ meterId }) => meterId),
        },
        decide: (at, views) => {
          const changed = planChangeAt(wanted, { at, newId: needs.newId, views })
          const payment = paymentOf(needs, scope, { at, changed, prepared })
          if (payment !== null && linkTo !== null) {
            const opened = openedChange(needs, payment, { at, linkTo, before })
            attempted = opened.payment
            return { ...changed, rows: opened.rows }
          }
          attempted = payment
          return { ...changed, rows: rowsOf(needs, { at, payment, prepared }) }
        },
      } satisfies PreparedChange
    },
  })
  return attempted === null || linkTo !== null ? attempted : carryOut(needs, scope, attempted)
}

/** The change waits for its payment, and that for somebody on its page. */
function openedChange(
  { newId }: PlanChangeNeeds,
  payment: Payment,
  of: {
    readonly at: Instant
    readonly before: Subscription
    readonly linkTo: (sessionId: string) => string
  },
): { readonly payment: Payment; readonly rows: readonly RowChange[] } {
  const { at, before, linkTo } = of
  const settles = { subscriptionId: before.subscriptionId, what: 'plan_change' } as const
  const session = newSession(newId('cks'), settlingRequest(before, settles, null), at)
  const opened = openedOn(session, payment, linkTo)
  return { payment: opened.payment, rows: [...heldUses(payment), ...openedRows(newId, opened)] }
}

/** The entitlements of which a change at once may touch accounts. */
export function planEntitlements({ wanted }: Pick<PreparedPlan, 'wanted'>): readonly string[] {
  const { before, plan } = wanted
  const carts = [...before.cart, ...before.leaving, ...plan.cart]
  return [...new Set(carts.map((item) => item.creditEntitlementId))]
}

function paymentOf(
  { processors }: PlanChangeNeeds,
  scope: Scope,
  of: {
    readonly at: Instant
    readonly changed: PlanChanged
    readonly prepared: PreparedPlan
  },
): Payment | null {
  const { attempt } = of.changed
  if (attempt === null) return null
  const { method, wanted } = of.prepared
  const { before, plan, redeemed, request } = wanted
  const { cart, isOwed, paymentId } = attempt
  const costing = cart.lines.filter(({ amount, tax }) => amount + tax > 0)
  return newAttempt(
    {
      ...method,
      paymentId,
      processor: processors[scope.mode].name,
      brandId: before.brandId,
      customerId: before.customerId,
      subscriptionId: before.subscriptionId,
      // What is owed is tried again as a renewal is.
      purpose: isOwed ? 'renewal' : 'plan_change',
      currency: cart.currency,
      totalAmount: cart.total,
      tax: cart.tax,
      lines: costing.map(paymentLine),
      discounts: cart.paid,
      holdsUses: redeemed.length > 0,
      products: [planBought(plan)],
      billing: before.billing,
      taxId: before.taxId,
      customerBusinessName: before.customerBusinessName,
      metadata: request.metadata ?? before.metadata,
    },
    of.at,
  )
}

/** Codes that nothing is paid with are used at once. [resources#redemption] */
function rowsOf(
  { newId }: PlanChangeNeeds,
  of: {
    readonly at: Instant
    readonly payment: Payment | null
    readonly prepared: PreparedPlan
  },
): readonly RowChange[] {
  const { at, payment, prepared } = of
  if (payment !== null) return [...heldUses(payment), ...attemptRows(newId, payment)]
  const { before, changeId, redeemed } = prepared.wanted
  const { customerId } = before
  return redeemed.map(({ discountId, updatedAt }) => ({
    noun: 'discount_use',
    expected: null,
    held: false,
    row: { discountId, usedFor: changeId, customerId, usedAt: at },
    discountAsOf: updatedAt,
  }))
}
