import assert from 'node:assert/strict'
import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Instant } from '../../std/instant.ts'
import { Due } from '../accounts/change-accounts.ts'
import { untilWritten } from '../accounts/until-written.ts'
import { heardOf } from './heard-of.ts'
import type { PaymentNeeds } from './payment-needs.ts'
import { tryToHear } from './try-to-hear.ts'

/**
 * Carries out an attempt that a boundary has made, at its time: it waits for nothing that is due.
 * [payments#one-way-to-be-paid, machines#boundaries]
 */
export async function carryOutAt(
  needs: PaymentNeeds,
  scope: Scope,
  { attempt, at }: { readonly attempt: Payment; readonly at: Instant },
): Promise<Payment> {
  const heard = await heardOf(needs, scope, attempt)
  return untilWritten(needs, 'pay', async () => {
    const tried = await tryToHear(needs, scope, { ...heard, at: () => at })
    assert(!(tried instanceof Due))
    return tried
  })
}
