import type { SavedMethod } from '../rules/commerce/payments/saved-method.ts'
import { formatInstant } from '../std/instant.ts'

/** A payment method that a customer has saved. [resources#customers] */
export interface PaymentMethodView {
  readonly payment_method_id: string
  readonly payment_method: string
  readonly payment_method_type: string | null
  readonly recurring_enabled: boolean | null
  readonly last_used_at: string | null
  readonly card: SavedCardView | null
}

export interface SavedCardView {
  readonly card_holder_name: string | null
  readonly card_issuing_country: string | null
  readonly card_network: string | null
  readonly card_type: string | null
  readonly expiry_month: string | null
  readonly expiry_year: string | null
  readonly last4_digits: string | null
}

/** [resources#customers] */
export const paymentMethodView = (method: SavedMethod): PaymentMethodView => ({
  payment_method_id: method.paymentMethodId,
  payment_method: 'card',
  payment_method_type: method.card.type,
  recurring_enabled: true,
  last_used_at: formatInstant(method.lastUsedAt),
  card: {
    card_holder_name: method.card.holder,
    card_issuing_country: method.card.issuingCountry,
    card_network: method.card.network,
    card_type: method.card.type,
    expiry_month: method.card.expiryMonth,
    expiry_year: method.card.expiryYear,
    last4_digits: method.card.lastFour,
  },
})
