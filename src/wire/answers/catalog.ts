import type { Frequency } from '../../std/calendar.ts'
import type { CreditEntitlementView, MeterLinkView } from '../credit-entitlement.ts'
import type { CreditMappingView } from '../credit-mapping.ts'
import type { CustomerView } from '../customer.ts'
import {
  currencies,
  overageBehaviors,
  pricingModes,
  prorationBehaviors,
  taxCategories,
  timeIntervals,
} from '../enums.ts'
import type { MeterView } from '../meter.ts'
import type { ProductListItem, ProductView } from '../product.ts'
import { ours } from '../schemas.ts'
import { deliveryShape, entitlementSummaryShape } from './entitlements.ts'
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
  orNull,
  shape,
  textField,
  textOrNull,
  timeField,
  wholeField,
  wholeOrNull,
} from './shape.ts'

export const customerAnswer = named(
  'Customer',
  shape<CustomerView>({
    business_id: textField,
    customer_id: textField,
    email: textField,
    name: textField,
    phone_number: textOrNull,
    metadata: metadataField,
    created_at: timeField,
  }),
)

export const meterAnswer = named(
  'Meter',
  shape<MeterView>({
    id: textField,
    business_id: textField,
    name: textField,
    event_name: textField,
    aggregation: {
      type: 'object',
      required: ['type', 'key'],
      properties: { type: choiceField(['count', 'sum', 'max', 'last']), key: textOrNull },
    },
    filter: orNull(anyObject),
    measurement_unit: textField,
    description: textOrNull,
    created_at: timeField,
    updated_at: timeField,
  }),
)

const settings = {
  currency: choiceOrNullField(currencies),
  expires_after_days: wholeOrNull,
  max_rollover_count: wholeOrNull,
  overage_behavior: choiceField(overageBehaviors),
  overage_enabled: flagField,
  price_per_unit: decimalOrNull,
  rollover_enabled: flagField,
  rollover_percentage: wholeOrNull,
  rollover_timeframe_count: wholeOrNull,
  rollover_timeframe_interval: choiceOrNullField(timeIntervals),
}

export const creditEntitlementAnswer = named(
  'CreditEntitlement',
  shape<CreditEntitlementView>({
    id: textField,
    business_id: textField,
    name: textField,
    description: textOrNull,
    unit: textField,
    precision: wholeField,
    ...settings,
    overage_limit: wholeOrNull,
    low_balance_threshold: ours(decimalOrNull),
    meter_links: ours(
      listField(
        shape<MeterLinkView>({
          meter_id: textField,
          meter_units_per_credit: decimalField,
          free_threshold: wholeOrNull,
        }),
      ),
    ),
    created_at: timeField,
    updated_at: timeField,
  }),
)

const mapping = shape<CreditMappingView>({
  id: textField,
  credit_entitlement_id: textField,
  credit_entitlement_name: textField,
  credit_entitlement_unit: textField,
  credits_amount: decimalField,
  ...settings,
  low_balance_threshold_percent: wholeOrNull,
  overage_limit: decimalOrNull,
  proration_behavior: choiceField(prorationBehaviors),
  trial_credits: decimalOrNull,
  trial_credits_expire_after_trial: flagField,
})

const terms = {
  currency: choiceField(currencies),
  discount: wholeField,
  purchasing_power_parity: flagField,
  tax_inclusive: flagOrNull,
}

const recurrence = {
  payment_frequency_count: wholeField,
  payment_frequency_interval: choiceField(timeIntervals),
  subscription_period_count: wholeField,
  subscription_period_interval: choiceField(timeIntervals),
}

const fields = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

/** One for each kind. The fields are those of priceView(), whose type is a union of three. */
export const priceAnswer = named('Price', {
  oneOf: [
    fields({
      type: { const: 'one_time_price' },
      ...terms,
      price: wholeField,
      pay_what_you_want: flagField,
      suggested_price: wholeOrNull,
    }),
    fields({
      type: { const: 'recurring_price' },
      ...terms,
      ...recurrence,
      price: wholeField,
      trial_period_days: wholeField,
      trial_amount: wholeOrNull,
      trial_apply_discounts: flagField,
    }),
    fields({
      type: { const: 'usage_based_price' },
      ...terms,
      ...recurrence,
      fixed_price: wholeField,
      meters: listField(
        fields({
          meter_id: textField,
          credit_entitlement_id: textOrNull,
          meter_units_per_credit: decimalOrNull,
          price_per_unit: decimalOrNull,
          free_threshold: wholeOrNull,
          name: textOrNull,
          description: textOrNull,
          measurement_unit: textOrNull,
        }),
      ),
    }),
  ],
})

const price = { $ref: '#/components/schemas/Price' }
const product = {
  product_id: textField,
  business_id: textField,
  name: textField,
  description: textOrNull,
  image: textOrNull,
  tax_category: choiceField(taxCategories),
  is_recurring: flagField,
  pricing_mode: choiceOrNullField(pricingModes),
  entitlements: listField(entitlementSummaryShape),
  metadata: metadataField,
  created_at: timeField,
  updated_at: timeField,
}

const durationShape = shape<Frequency>({
  count: wholeField,
  interval: choiceField(timeIntervals),
})

export const productAnswer = named(
  'Product',
  shape<ProductView>({
    ...product,
    brand_id: textField,
    price,
    credit_entitlements: listField(mapping),
    addons: orNull(listField(textField)),
    product_collection_id: textOrNull,
    digital_product_delivery: orNull(deliveryShape),
    license_key_enabled: flagField,
    license_key_activation_message: textOrNull,
    license_key_activations_limit: wholeOrNull,
    license_key_duration: orNull(durationShape),
  }),
)

export const productItemAnswer = named(
  'ProductListItem',
  shape<ProductListItem>({
    ...product,
    currency: choiceField(currencies),
    price: wholeField,
    price_detail: price,
    tax_inclusive: flagOrNull,
  }),
)
