import { notFound, refuse } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { SavedMethod } from '../../rules/commerce/payments/saved-method.ts'
import { usedMethod } from '../../rules/commerce/payments/saved-method.ts'
import { methodRejection } from '../../rules/commerce/subscriptions/lifecycle.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { prepareRetry } from '../boundaries/retry-renewal.ts'
import { carryOut } from '../payments/carry-out.ts'
import type { PreparedChange } from './change-subscription.ts'
import type { SubscriptionCommand } from './command-subscription.ts'
import { commandSubscription } from './command-subscription.ts'

/**
 * Gives a subscription another saved method of its customer, which later renewals charge. One that
 * is on hold is charged what it owes at once; what became of that, says the payment. Null: it owes
 * nothing. Refuses: 404 an unknown subscription, or a method that is not its customer's; 409 while
 * a renewal is on its way; 422 one that is over. [subscriptions#dunning]
 */
export async function updatePaymentMethod(
  needs: DueFirstNeeds,
  scope: Scope,
  wanted: WantedMethod,
): Promise<Payment | null> {
  const { command, attempted } = methodCommand(needs, scope, wanted)
  await commandSubscription(needs, scope, command)
  const attempt = attempted()
  return attempt === null ? null : carryOut(needs, scope, attempt)
}

/** The command, and what it charges once it is decided; null: nothing. */
export function methodCommand(
  needs: DueFirstNeeds,
  scope: Scope,
  { subscriptionId, paymentMethodId }: WantedMethod,
): { readonly command: SubscriptionCommand; readonly attempted: () => Payment | null } {
  let attempted: () => Payment | null = () => null
  const command: SubscriptionCommand = {
    operation: 'update_payment_method',
    subscriptionId,
    prepare: async (before) => {
      refuse(methodRejection(before))
      const found = await needs.paymentMethods.get(scope, paymentMethodId)
      if (found === null || found.deletedAt !== null || found.customerId !== before.customerId) {
        throw notFound('payment method', paymentMethodId)
      }
      const made = await prepare(needs, scope, { before, paymentMethodId })
      attempted = made.attempted
      return using(made.prepared, found)
    },
  }
  return { command, attempted: () => attempted() }
}

export interface WantedMethod {
  readonly subscriptionId: string
  readonly paymentMethodId: string
}

async function prepare(
  needs: DueFirstNeeds,
  scope: Scope,
  of: { readonly before: Subscription; readonly paymentMethodId: string },
): Promise<{ readonly prepared: PreparedChange; readonly attempted: () => Payment | null }> {
  const { before, paymentMethodId } = of
  if (before.dues !== null) return prepareRetry(needs, scope, { ...of, byItself: false })
  return {
    attempted: () => null,
    prepared: {
      entitlementIds: [],
      decide: (at) => ({
        after: { ...before, paymentMethodId, version: before.version + 1, updatedAt: at },
        commands: new Map(),
      }),
    },
  }
}

/** The method moves with it, so that nobody deletes it meanwhile. */
const using = (prepared: PreparedChange, method: SavedMethod): PreparedChange => ({
  ...prepared,
  decide: (at, views) => {
    const decided = prepared.decide(at, views)
    const row = usedMethod(method, at)
    return {
      ...decided,
      happened: ['update_payment_method'],
      rows: [
        ...(decided.rows ?? []),
        { noun: 'payment_method', expected: method.version, row } as const,
      ],
    }
  },
})
