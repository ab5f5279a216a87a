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
