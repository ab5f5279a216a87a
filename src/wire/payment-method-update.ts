import type { Payment } from '../rules/commerce/payments/payment.ts'
import { schema } from '../std/schema.ts'
import { allowedMethodTypes } from './payment-method-types.ts'
import { id, nullable, oneOf, text } from './schemas.ts'

/** [resources#subscriptions] */
export interface PaymentMethodUpdate {
  readonly type: 'new' | 'existing'
  readonly payment_method_id?: string | null
}

export const paymentMethodUpdate = schema<PaymentMethodUpdate>({
  type: 'object',
  required: ['type'],
  properties: {
    type: oneOf(['new', 'existing']),
    payment_method_id: nullable(id),
    allowed_payment_method_types: allowedMethodTypes,
    return_url: nullable(text(1, 2048)),
  },
})

/** The saved method that is named; null: none is. */
export const savedMethodIn = (body: PaymentMethodUpdate): string | null =>
  body.payment_method_id ?? null

/** The charge of what was owed, by its payment; there is nothing to pay by a link. */
export const paymentMethodUpdated = (payment: Payment | null) => ({
  client_secret: null,
  expires_on: null,
  payment_id: payment?.paymentId ?? null,
  payment_link: null,
})
