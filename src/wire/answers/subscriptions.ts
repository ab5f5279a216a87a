import type { CustomFieldResponse } from '../../rules/commerce/custom-field-response.ts'
import { subscriptionStatuses } from '../../rules/commerce/subscriptions/subscription.ts'
import type { creditUsageView } from '../credit-usage.ts'
import { countryCodes, currencies, overageBehaviors, timeIntervals } from '../enums.ts'
import type { subscriptionCharged } from '../on-demand.ts'
import type { OneTimeItem } from '../one-time-item.ts'
import type { paymentMethodUpdated } from '../payment-method-update.ts'
import type { planChanged } from '../plan-change.ts'
import type { CustomerLimitedDetails, SubscriptionCreated } from '../subscription.ts'
import type { SubscriptionView, subscriptionListView } from '../subscription-view.ts'
import type { usageHistoryItem } from '../usage-history.ts'
import { discountDetailShape } from './discounts.ts'
import type { NamedShape } from './shape.ts'
import {
  anyObject,
  choiceField,
  choiceOrNullField,
  decimalField,
  decimalOrNull,
  flagField,
  flagOrNull,
  listField,
  metadataField,
  named,
  nothing,
  orNull,
  shape,
  textField,
  textOrNull,
  timeField,
  timeOrNull,
  wholeField,
  wholeOrNull,
} from './shape.ts'

/** [resources#checkout-sessions] */
export const customFieldResponsesShape = orNull(
  listField(shape<CustomFieldResponse>({ key: textField, value: textField })),
)

export const customerShape = shape<CustomerLimitedDetails>({
  customer_id: textField,
  email: textField,
  name: textField,
  metadata: metadataField,
  phone_number: textOrNull,
})

export const subscriptionCreatedAnswer = named(
  'SubscriptionCreated',
  shape<SubscriptionCreated>({
    addons: listField(anyObject),
    client_secret: textOrNull,
    customer: customerShape,
    discount_id: nothing,
    discount_ids: nothing,
    expires_on: timeOrNull,
    metadata: metadataField,
    one_time_product_cart: orNull(
      listField(
        shape<Omit<OneTimeItem, 'amount'>>({ product_id: textField, quantity: wholeField }),
      ),
    ),
    payment_id: textField,
    payment_link: textOrNull,
    recurring_pre_tax_amount: wholeField,
    subscription_id: textField,
    trial_amount: wholeOrNull,
  }),
)

export const billingShape = shape<SubscriptionView['billing']>({
  country: choiceField(countryCodes),
  city: textOrNull,
  state: textOrNull,
  street: textOrNull,
  zipcode: textOrNull,
})

const common = {
  billing: billingShape,
  brand_id: textField,
  cancel_at_next_billing_date: flagField,
  cancelled_at: timeOrNull,
  created_at: timeField,
  currency: choiceField(currencies),
  customer: customerShape,
  customer_business_name: textOrNull,
  discount_cycles_remaining: wholeOrNull,
  discount_id: textOrNull,
  metadata: metadataField,
  next_billing_date: timeField,
  on_demand: flagField,
  paused_at: timeOrNull,
  payment_frequency_count: wholeField,
  payment_frequency_interval: choiceField(timeIntervals),
  payment_method_id: textOrNull,
  previous_billing_date: timeField,
  product_id: textField,
  quantity: wholeField,
  recurring_pre_tax_amount: wholeField,
  scheduled_change: orNull(
    shape<NonNullable<SubscriptionView['scheduled_change']>>({
      id: textField,
      addons: listField(
        shape<NonNullable<SubscriptionView['scheduled_change']>['addons'][number]>({
          addon_id: textField,
          name: textField,
          quantity: wholeField,
        }),
      ),
      created_at: timeField,
      effective_at: timeField,
      product_description: textOrNull,
      product_id: textField,
      product_name: textOrNull,
      quantity: wholeField,
    }),
  ),
  status: choiceField(subscriptionStatuses),
  subscription_id: textField,
  subscription_period_count: wholeField,
  subscription_period_interval: choiceField(timeIntervals),
  tax_id: textOrNull,
  tax_inclusive: flagOrNull,
  trial_amount: wholeOrNull,
  trial_period_days: wholeField,
}

export const subscriptionItemAnswer = named(
  'SubscriptionListItem',
  shape<ReturnType<typeof subscriptionListView>>({
    ...common,
    discounts: listField(
      shape<ReturnType<typeof subscriptionListView>['discounts'][number]>({
        discount_id: textField,
        discount_cycles_remaining: wholeOrNull,
      }),
    ),
    product_name: textOrNull,
  }),
)

export const subscriptionAnswer: NamedShape = named(
  'Subscription',
  shape<SubscriptionView>({
    ...common,
    addons: listField(
      shape<SubscriptionView['addons'][number]>({ addon_id: textField, quantity: wholeField }),
    ),
    cancellation_comment: textOrNull,
    cancellation_feedback: textOrNull,
    credit_entitlement_cart: listField(
      shape<SubscriptionView['credit_entitlement_cart'][number]>({
        credit_entitlement_id: textField,
        credit_entitlement_name: textField,
        credits_amount: decimalField,
        expires_after_days: wholeOrNull,
        low_balance_threshold_percent: wholeOrNull,
        max_rollover_count: wholeOrNull,
        overage_balance: decimalField,
        overage_behavior: choiceField(overageBehaviors),
        overage_enabled: flagField,
        overage_limit: decimalOrNull,
        product_id: textField,
        remaining_balance: decimalField,
        rollover_enabled: flagField,
        rollover_percentage: wholeOrNull,
        rollover_timeframe_count: wholeOrNull,
        rollover_timeframe_interval: choiceOrNullField(timeIntervals),
        unit: textField,
      }),
    ),
    custom_field_responses: customFieldResponsesShape,
    discounts: orNull(listField(discountDetailShape)),
    expires_at: timeOrNull,
    meter_credit_entitlement_cart: listField(
      shape<SubscriptionView['meter_credit_entitlement_cart'][number]>({
        credit_entitlement_id: textField,
        meter_id: textField,
        meter_name: textField,
        meter_units_per_credit: decimalField,
        product_id: textField,
      }),
    ),
    meters: listField(
      shape<SubscriptionView['meters'][number]>({
        currency: choiceField(currencies),
        description: textOrNull,
        free_threshold: wholeField,
        measurement_unit: textField,
        meter_id: textField,
        name: textField,
        price_per_unit: decimalOrNull,
      }),
    ),
  }),
)

export const subscriptionChargedAnswer = named(
  'SubscriptionCharged',
  shape<ReturnType<typeof subscriptionCharged>>({ payment_id: textField }),
)

export const planChangedAnswer = named(
  'PlanChanged',
  shape<ReturnType<typeof planChanged>>({
    client_secret: textOrNull,
    expires_on: timeOrNull,
    payment_id: textOrNull,
    payment_link: textOrNull,
  }),
)

export const paymentMethodUpdatedAnswer = named(
  'PaymentMethodUpdated',
  shape<ReturnType<typeof paymentMethodUpdated>>({
    client_secret: textOrNull,
    expires_on: timeOrNull,
    payment_id: textOrNull,
    payment_link: textOrNull,
  }),
)

type CreditUsage = ReturnType<typeof creditUsageView>

export const creditUsageAnswer = named(
  'SubscriptionCreditUsage',
  shape<CreditUsage>({
    subscription_id: textField,
    items: listField(
      shape<CreditUsage['items'][number]>({
        balance: decimalField,
        credit_entitlement_id: textField,
        credit_entitlement_name: textField,
        limit_reached: flagField,
        overage: decimalField,
        overage_enabled: flagField,
        overage_limit: decimalOrNull,
        remaining_headroom: decimalOrNull,
        unit: textField,
      }),
    ),
  }),
)

type Period = ReturnType<typeof usageHistoryItem>

export const usagePeriodAnswer = named(
  'UsagePeriod',
  shape<Period>({
    start_date: timeField,
    end_date: timeField,
    meters: listField(
      shape<Period['meters'][number]>({
        id: textField,
        chargeable_units: decimalField,
        consumed_units: decimalField,
        currency: choiceField(currencies),
        free_threshold: wholeField,
        name: textField,
        price_per_unit: decimalOrNull,
        total_price: wholeField,
      }),
    ),
  }),
)
