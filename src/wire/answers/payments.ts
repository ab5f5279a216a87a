import { disputeStatuses } from '../../rules/commerce/disputes/dispute.ts'
import { intentStatuses } from '../../rules/commerce/payments/payment.ts'
import { paymentRefundStatuses } from '../../rules/commerce/refunds/refund.ts'
import type { CheckoutCreated, CheckoutPreview, CheckoutStatus } from '../checkout-view.ts'
import { countryCodes, currencies, taxCategories } from '../enums.ts'
import type { PaymentLinesView, PaymentListItem, PaymentView } from '../payment.ts'
import type { PaymentCreated } from '../payment-create.ts'
import { discountDetailShape } from './discounts.ts'
import { disputeOfPaymentShape } from './disputes.ts'
import { refundItemShape } from './refunds.ts'
import {
  choiceField,
  choiceOrNullField,
  decimalField,
  flagField,
  listField,
  metadataField,
  named,
  nothing,
  numberField,
  orNull,
  shape,
  textField,
  textOrNull,
  timeField,
  timeOrNull,
  wholeField,
  wholeOrNull,
} from './shape.ts'
import { billingShape, customerShape, customFieldResponsesShape } from './subscriptions.ts'

export const checkoutCreatedAnswer = named(
  'CheckoutSession',
  shape<CheckoutCreated>({
    session_id: textField,
    checkout_url: textOrNull,
    client_secret: textOrNull,
    payment_id: textOrNull,
    publishable_key: textOrNull,
  }),
)

export const checkoutStatusAnswer = named(
  'CheckoutSessionStatus',
  shape<CheckoutStatus>({
    id: textField,
    created_at: timeField,
    customer_email: textOrNull,
    customer_name: textOrNull,
    payment_id: textOrNull,
    payment_status: choiceOrNullField(intentStatuses),
  }),
)

export const paymentCreatedAnswer = named(
  'PaymentCreated',
  shape<PaymentCreated>({
    client_secret: textField,
    customer: customerShape,
    discount_id: textOrNull,
    discount_ids: orNull(listField(textField)),
    expires_on: timeOrNull,
    metadata: metadataField,
    payment_id: textField,
    payment_link: textOrNull,
    product_cart: listField(
      shape<PaymentCreated['product_cart'][number]>({
        product_id: textField,
        quantity: wholeField,
        amount: wholeOrNull,
      }),
    ),
    total_amount: wholeField,
  }),
)

const breakup = shape<CheckoutPreview['current_breakup']>({
  discount: wholeField,
  subtotal: wholeField,
  tax: wholeField,
  total_amount: wholeField,
})

type PreviewedProduct = CheckoutPreview['product_cart'][number]

const previewedAddon = shape<NonNullable<PreviewedProduct['addons']>[number]>({
  addon_id: textField,
  currency: choiceField(currencies),
  description: textOrNull,
  discount_amount: wholeOrNull,
  discounted_price: wholeField,
  name: textField,
  og_currency: choiceField(currencies),
  og_price: wholeField,
  quantity: wholeField,
  single_quantity_price: wholeField,
  tax: wholeField,
  tax_category: choiceField(taxCategories),
  tax_inclusive: flagField,
  tax_rate: numberField,
})

export const checkoutPreviewAnswer = named(
  'CheckoutSessionPreview',
  shape<CheckoutPreview>({
    billing_country: choiceField(countryCodes),
    currency: choiceField(currencies),
    current_breakup: breakup,
    is_byop: flagField,
    next_billing_date: timeOrNull,
    product_cart: listField(
      shape<PreviewedProduct>({
        addons: orNull(listField(previewedAddon)),
        credit_entitlements: listField(
          shape<PreviewedProduct['credit_entitlements'][number]>({
            credit_entitlement_id: textField,
            credit_entitlement_name: textField,
            credit_entitlement_unit: textField,
            credits_amount: decimalField,
          }),
        ),
        currency: choiceField(currencies),
        description: textOrNull,
        discount_amount: wholeOrNull,
        discount_cycle: wholeOrNull,
        discounted_price: wholeField,
        is_subscription: flagField,
        is_usage_based: flagField,
        meters: listField(
          shape<PreviewedProduct['meters'][number]>({
            description: textOrNull,
            free_threshold: wholeOrNull,
            measurement_unit: textField,
            name: textField,
            price_per_unit: decimalField,
          }),
        ),
        name: textField,
        og_currency: choiceField(currencies),
        og_price: wholeField,
        product_id: textField,
        quantity: wholeField,
        tax: wholeField,
        tax_category: choiceField(taxCategories),
        tax_inclusive: flagField,
        tax_rate: numberField,
      }),
    ),
    recurring_breakup: orNull(breakup),
    tax_id_business_name: nothing,
    tax_id_err_msg: textOrNull,
    tax_id_format_name: textOrNull,
    total_price: wholeField,
    total_tax: wholeField,
    trial_amount: wholeOrNull,
    trial_period_days: wholeOrNull,
  }),
)

const common = {
  brand_id: textField,
  card_last_four: textOrNull,
  card_network: textOrNull,
  created_at: timeField,
  currency: choiceField(currencies),
  customer: customerShape,
  digital_products_delivered: flagField,
  invoice_id: textOrNull,
  invoice_url: textOrNull,
  metadata: metadataField,
  payment_id: textField,
  payment_method: textOrNull,
  payment_method_type: textOrNull,
  payment_provider: choiceField(['stripe', 'adyen', 'dodo']),
  refund_status: choiceOrNullField(paymentRefundStatuses),
  status: choiceField(intentStatuses),
  subscription_id: textOrNull,
  total_amount: wholeField,
}

export const paymentAnswer = named(
  'Payment',
  shape<PaymentView>({
    ...common,
    billing: billingShape,
    business_id: textField,
    card_holder_name: textOrNull,
    card_issuing_country: choiceOrNullField(countryCodes),
    card_type: textOrNull,
    checkout_session_id: textOrNull,
    custom_field_responses: customFieldResponsesShape,
    discount_id: textOrNull,
    discounts: orNull(listField(discountDetailShape)),
    disputes: listField(disputeOfPaymentShape),
    error_code: textOrNull,
    error_message: textOrNull,
    is_update_payment_method: flagField,
    payment_link: textOrNull,
    payment_method_id: textOrNull,
    product_cart: listField(
      shape<PaymentView['product_cart'][number]>({ product_id: textField, quantity: wholeField }),
    ),
    refunds: listField(refundItemShape),
    retry_attempt: wholeField,
    settlement_amount: wholeField,
    settlement_currency: choiceField(currencies),
    settlement_tax: wholeField,
    tax: wholeField,
    updated_at: timeField,
  }),
)

export const paymentItemAnswer = named(
  'PaymentListItem',
  shape<PaymentListItem>({
    ...common,
    dispute_status: choiceOrNullField(disputeStatuses),
    has_license_key: flagField,
  }),
)

export const countriesAnswer = named('CountryCodes', listField(choiceField(countryCodes)))

export const paymentLinesAnswer = named(
  'PaymentLineItems',
  shape<PaymentLinesView>({
    currency: choiceField(currencies),
    items: listField(
      shape<PaymentLinesView['items'][number]>({
        amount: wholeField,
        description: textOrNull,
        items_id: textField,
        name: textOrNull,
        refundable_amount: wholeField,
        tax: wholeField,
      }),
    ),
  }),
)
