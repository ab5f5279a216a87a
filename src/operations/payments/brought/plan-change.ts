import { isSettled } from '../../../rules/commerce/payments/payment.ts'
import { keptFrom } from '../../../rules/commerce/payments/settling-session.ts'
import { paidPlanChange } from '../../../rules/commerce/subscriptions/plan-change-commands.ts'
import { withoutChanging } from '../../../rules/commerce/subscriptions/renewal.ts'
import type {
  Happened,
  PendingChange,
  Subscription,
} from '../../../rules/commerce/subscriptions/subscription.ts'
import { isOver } from '../../../rules/commerce/subscriptions/subscription.ts'
import type { SubscriptionChange } from '../../../rules/commerce/subscriptions/subscription-change.ts'
import type { Instant } from '../../../std/instant.ts'
import { laterOf } from '../../../std/instant.ts'
import { usageToBill } from '../../boundaries/usage-bill.ts'
import { grantingOf } from '../../entitlements/grants-of-subscription.ts'
import { tellingOf } from '../../subscriptions/telling.ts'
import type { Bringing, HeardNow, PaymentMoment } from './bringing.ts'

/**
 * The plan change that a payment pays: with its success the plan changes, with its failure it stays
 * as it is. What is paid for a change that was given up meanwhile is owed to the customer, or goes
 * back where the subscription is over.
 * [subscriptions#paying-for-a-change]
 */
export const bringPlanChange: Bringing = async (needs, scope, { payment, outcome }) => {
  const { paymentId, purpose, subscriptionId } = payment
  if (purpose !== 'plan_change' || subscriptionId === null || !isSettled(outcome)) return null
  const before = await needs.subscriptions.find(scope, subscriptionId)
  if (before === null) return null
  const changing = before.changing?.paymentId === paymentId ? before.changing : null
  const usage = await usageToBill(needs, scope, before)
  const cart = changing?.plan.cart ?? []
  const meterIds = changing?.plan.links.map(({ meterId }) => meterId) ?? []
  const mayCarry = { cart, meterIds }
  const telling = await tellingOf(needs, scope, { subscription: before, mayCarry })
  const granting = await grantingOf(needs, scope, { before })
  const carts = [...before.cart, ...before.leaving, ...cart]
  const entitlementIds = carts.map((item) => item.creditEntitlementId)
  return {
    entitlementIds: changing === null ? [] : [...new Set(entitlementIds)],
    decide: (moment) => {
      const changed = changedBy(before, changing, { moment, usage })
      if (changed === null) return {}
      const { commands } = changed
      const at = laterOf(moment.at, before.updatedAt)
      // The card that a customer enters on a page is kept.
      const kept = keptFrom(moment.payment)
      const paymentMethodId = kept ?? changed.after.paymentMethodId
      const version = before.version + 1
      const after = { ...changed.after, paymentMethodId, version, updatedAt: at }
      const happened: readonly Happened[] = [
        ...(changed.happened ?? []),
        ...(kept === null ? [] : (['update_payment_method'] as const)),
      ]
      const grants = granting(after, at)
      return {
        commands,
        rows: [
          { noun: 'subscription', expected: before.version, row: after, over: [] },
          ...grants.rows,
        ],
        tell: (accounts) => [
          ...telling({ before, after, happened, accounts, at }),
          ...grants.facts,
        ],
      }
    },
  }
}

/** Null: nothing. */
function changedBy(
  before: Subscription,
  changing: PendingChange | null,
  of: {
    readonly moment: PaymentMoment
    readonly usage: Parameters<typeof paidPlanChange>[2]['usage']
  },
): SubscriptionChange | null {
  const { payment, views, newId } = of.moment
  const isPaid = payment.status === 'succeeded'
  if (changing !== null) {
    if (!isPaid) return { after: withoutChanging(before), commands: new Map() }
    const at: Instant = laterOf(of.moment.at, before.updatedAt)
    return paidPlanChange(before, changing, { at, newId, usage: of.usage, views })
  }
  if (!isPaid || isOver(before)) return null
  const owed = before.owed + paidFor(payment, before)
  return { after: { ...before, owed }, commands: new Map() }
}

/** What later charges are lowered by, which is before tax that comes on top. */
const paidFor = (
  { tax, totalAmount }: HeardNow['payment'],
  { taxInclusive }: Subscription,
): number => (taxInclusive ? totalAmount : totalAmount - tax)
