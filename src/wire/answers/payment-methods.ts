import type { PaymentMethodView, SavedCardView } from '../payment-method.ts'
import { flagOrNull, named, orNull, shape, textField, textOrNull, timeOrNull } from './shape.ts'

export const paymentMethodAnswer = named(
  'PaymentMethod',
  shape<PaymentMethodView>({
    payment_method_id: textField,
    payment_method: textField,
    payment_method_type: textOrNull,
    recurring_enabled: flagOrNull,
    last_used_at: timeOrNull,
    card: orNull(
      shape<SavedCardView>({
        card_holder_name: textOrNull,
        card_issuing_country: textOrNull,
        card_network: textOrNull,
        card_type: textOrNull,
        expiry_month: textOrNull,
        expiry_year: textOrNull,
        last4_digits: textOrNull,
      }),
    ),
  }),
)
