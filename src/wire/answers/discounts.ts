import type { CurrencyOptionView, DiscountCustomersBody, DiscountView } from '../discount.ts'
import type { DiscountDetailView } from '../discount-detail.ts'
import { currencies, customerEligibilities, discountTypes } from '../enums.ts'
import {
  choiceField,
  flagField,
  listField,
  metadataField,
  named,
  shape,
  textField,
  textOrNull,
  timeField,
  timeOrNull,
  wholeField,
  wholeOrNull,
} from './shape.ts'

export const discountAnswer = named(
  'Discount',
  shape<DiscountView>({
    discount_id: textField,
    business_id: textField,
    code: textField,
    name: textOrNull,
    type: choiceField(discountTypes),
    amount: wholeField,
    currency_options: listField(
      shape<CurrencyOptionView>({
        currency: choiceField(currencies),
        is_default: flagField,
        minimum_subtotal: wholeField,
        max_amount_possible: wholeOrNull,
      }),
    ),
    customer_eligibility: choiceField(customerEligibilities),
    restricted_to: listField(textField),
    usage_limit: wholeOrNull,
    per_customer_usage_limit: wholeOrNull,
    times_used: wholeField,
    starts_at: timeOrNull,
    expires_at: timeOrNull,
    subscription_cycles: wholeOrNull,
    preserve_on_plan_change: flagField,
    metadata: metadataField,
    created_at: timeField,
  }),
)

export const discountCustomersAnswer = named(
  'DiscountCustomers',
  shape<DiscountCustomersBody>({ customer_ids: listField(textField) }),
)

/** As payments and subscriptions show what was redeemed for them. */
export const discountDetailShape = shape<DiscountDetailView>({
  amount: wholeField,
  business_id: textField,
  code: textField,
  created_at: timeField,
  cycles_remaining: wholeOrNull,
  discount_id: textField,
  expires_at: timeOrNull,
  metadata: metadataField,
  name: textOrNull,
  position: wholeField,
  preserve_on_plan_change: flagField,
  restricted_to: listField(textField),
  subscription_cycles: wholeOrNull,
  times_used: wholeField,
  type: choiceField(discountTypes),
  usage_limit: wholeOrNull,
})
