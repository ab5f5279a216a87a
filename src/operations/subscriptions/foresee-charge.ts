import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { Due } from '../accounts/change-accounts.ts'
import { lost } from '../accounts/until-written.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import type { WantedCharge } from './charge-subscription.ts'
import { tryToCharge } from './charge-subscription.ts'
import { tryCommand } from './command-subscription.ts'
import { openMethodUpdate } from './open-method-update.ts'
import type { WantedMethod } from './update-payment-method.ts'
import { methodCommand } from './update-payment-method.ts'
import { dueBefore, writingNothing } from './writing-nothing.ts'

/**
 * What a charge on demand would ask for now, with its tax and the part of the customer's wallet:
 * the very charge, with nothing written and no processor asked. Refuses what the charge refuses,
 * and 503 while something is due before it. [subscriptions#on-demand, security#the-console]
 */
export async function foreseeCharge(
  needs: DueFirstNeeds,
  scope: Scope,
  request: Omit<WantedCharge, 'idempotencyKey' | 'metadata'>,
): Promise<Payment> {
  const whole = { ...request, metadata: null, idempotencyKey: null }
  const of = { request: whole, paymentId: needs.newId('pay') }
  const tried = await tryToCharge(writingNothing(needs).needs, scope, of)
  if (tried === lost || tried instanceof Due) throw dueBefore()
  return tried
}

/**
 * What another method of a subscription would be charged at once; null: nothing is owed. Without a
 * method: what a card that the customer enters on the page would be charged. Refuses what the
 * change refuses, and 503 while something is due before it. [subscriptions#dunning]
 */
export async function foreseeMethod(
  needs: DueFirstNeeds,
  scope: Scope,
  { subscriptionId, paymentMethodId }: Foreseen,
): Promise<Payment | null> {
  const nothing = writingNothing(needs).needs
  if (paymentMethodId === null) {
    const page = { subscriptionId, returnUrl: null, linkTo: null }
    const { payment } = await openMethodUpdate(nothing, scope, page)
    return payment.totalAmount === 0 ? null : payment
  }
  const wanted = { subscriptionId, paymentMethodId }
  const { command, attempted } = methodCommand(needs, scope, wanted)
  if ((await tryCommand(nothing, scope, command)) !== undefined) throw dueBefore()
  return attempted()
}

interface Foreseen extends Pick<WantedMethod, 'subscriptionId'> {
  /** Null: one that the customer enters. */
  readonly paymentMethodId: string | null
}
