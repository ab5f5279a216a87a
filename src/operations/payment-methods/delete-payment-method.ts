import { Fault, orNotFound } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { PaymentMethods } from '../../parts/store/payment-methods.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { deletedMethod } from '../../rules/commerce/payments/saved-method.ts'
import type { Instant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface DeletePaymentMethod extends Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly customers: Pick<Customers, 'get'>
  readonly paymentMethods: PaymentMethods
}

/**
 * Forgets a saved payment method; a second time changes nothing. Refuses: 404 an unknown customer,
 * or a method that is not this customer's; 409 one that a live subscription is charged through.
 * [resources#customers]
 */
export async function deletePaymentMethod(
  { customers, paymentMethods, ...needs }: DeletePaymentMethod,
  scope: Scope,
  of: { readonly customerId: string; readonly paymentMethodId: string; readonly at: Instant },
): Promise<void> {
  const { customerId, paymentMethodId: id } = of
  orNotFound(await customers.get(scope, customerId), 'customer', customerId)
  await untilWritten(needs, 'delete_payment_method', async () => {
    const found = await paymentMethods.get(scope, id)
    const method = orNotFound(found?.customerId === customerId ? found : null, 'payment method', id)
    if (method.deletedAt !== null) return undefined
    const subscriptionId = await paymentMethods.chargedBy(scope, id)
    if (subscriptionId !== null) {
      throw new Fault(
        'CONFLICT',
        `The subscription '${subscriptionId}' is charged through this payment method: give it another one first.`,
      )
    }
    const row = deletedMethod(method, of.at)
    const changed = { noun: 'payment_method', expected: method.version, row } as const
    const outcome = await needs.changes.commit(rowAlone(scope, changed))
    return outcome === 'committed' ? undefined : lost
  })
}
