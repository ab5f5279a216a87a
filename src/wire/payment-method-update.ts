import type { Payment } from '../rules/commerce/payments/payment.ts'
import { schema } from '../std/schema.ts'
import { waysToSettle } from './payment-create.ts'
import { allowedMethodTypes } from './payment-method-types.ts'
import { id, nullable, oneOf, url } from './schemas.ts'

/** [resources#subscriptions] */
export interface PaymentMethodUpdate {
  readonly type: 'new' | 'existing'
  readonly payment_method_id?: string | null
  readonly allowed_payment_method_types?: readonly string[] | null
  readonly return_url?: string | null
}

export const paymentMethodUpdate = schema<PaymentMethodUpdate>({
  type: 'object',
  required: ['type'],
  properties: {
    type: oneOf(['new', 'existing']),
    payment_method_id: nullable(id),
    allowed_payment_method_types: allowedMethodTypes,
    return_url: nullable(url),
  },
})

/** Where the customer goes back to; null: nowhere. */
export const returnUrlIn = (body: PaymentMethodUpdate): string | null => body.return_url ?? null

/** The saved method that is named; null: none is. */
export const savedMethodIn = (body: PaymentMethodUpdate): string | null =>
  body.payment_method_id ?? null

/** What is wrong with fields that are right one by one; null: nothing. */
export function methodProblem({ payment_method_id: id, type }: PaymentMethodUpdate): string | null {
  if (type === 'existing' && id == null) return 'type "existing" needs payment_method_id.'
  return type === 'new' && id != null ? 'payment_method_id does not go with type "new".' : null
}

/** The charge of what was owed, by its payment; where it waits for a card, how to enter one. */
export const paymentMethodUpdated = (payment: Payment | null) =>
  waysToSettle(payment, payment?.paymentId ?? null)
