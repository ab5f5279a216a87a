import type { Payment } from '../../../rules/commerce/payments/payment.ts'
import { keptFrom } from '../../../rules/commerce/payments/settling-session.ts'
import type { Dues, RenewalOutcome } from '../../../rules/commerce/subscriptions/dues.ts'
import {
  duesEntitlements,
  renewalHeard,
} from '../../../rules/commerce/subscriptions/renewal-news.ts'
import type { Happened, Subscription } from '../../../rules/commerce/subscriptions/subscription.ts'
import { isOver } from '../../../rules/commerce/subscriptions/subscription.ts'
import { grantingOf } from '../../entitlements/grants-of-subscription.ts'
import { tellingOf } from '../../subscriptions/telling.ts'
import type { Bringing } from './bringing.ts'

/**
 * The renewal that a payment pays: with a success the open cycle's credits come, with a failure the
 * subscription is on hold. [subscriptions#renewals, subscriptions#dunning]
 */
export const bringRenewal: Bringing = async (needs, scope, { payment }) => {
  const { purpose, subscriptionId, paymentId } = payment
  if (purpose !== 'renewal' || subscriptionId === null) return null
  const before = await needs.subscriptions.find(scope, subscriptionId)
  const dues = before?.dues ?? null
  if (before === null || dues?.paymentId !== paymentId) return null
  const isFirst = isUnheard(payment) && dues.failedAt === null
  const telling = await tellingOf(needs, scope, { subscription: before })
  const granting = await grantingOf(needs, scope, { before })
  return {
    entitlementIds: duesEntitlements(before),
    decide: ({ payment, at, newId }) => {
      const outcome = outcomeOf(payment)
      const canRetry = payment.token !== null
      const log = needs.clock.now()
      const heard = renewalHeard(before, dues, { outcome, at, log, newId, canRetry })
      const { commands } = heard
      const kept = isOver(before) ? null : keptFrom(payment)
      const after = kept === null ? heard.after : { ...heard.after, paymentMethodId: kept }
      const happened: readonly Happened[] = [
        ...happenedBy(dues, { after, isFirst, outcome }),
        ...(kept === null ? [] : (['update_payment_method'] as const)),
      ]
      const grants = granting(after, after.updatedAt)
      return {
        commands,
        rows: [
          { noun: 'subscription', expected: before.version, row: after, over: [] },
          ...grants.rows,
        ],
        tell: (accounts) => [
          ...telling({ before, after, happened, accounts, at: after.updatedAt }),
          ...grants.facts,
        ],
      }
    },
  }
}

/** A plan that asks to be paid, or began with what does, is told with the first news of that. */
function happenedBy(
  { beganPlan, change, pause }: Dues,
  of: {
    readonly after: Subscription
    readonly isFirst: boolean
    readonly outcome: RenewalOutcome
  },
): readonly Happened[] {
  if (pause !== undefined) return []
  const changed = (change !== null || beganPlan) && of.isFirst ? (['plan_changed'] as const) : []
  if (change !== null) return changed
  const isRenewed = of.outcome === 'paid' && of.after.status === 'active'
  return [...changed, ...(isRenewed ? (['renewed'] as const) : [])]
}

/** Whether nothing was heard of it before. */
const isUnheard = ({ status }: Payment): boolean => status === 'requires_confirmation'

function outcomeOf({ status }: Payment): RenewalOutcome {
  if (status === 'succeeded') return 'paid'
  return status === 'failed' || status === 'cancelled' ? 'failed' : 'waits'
}
