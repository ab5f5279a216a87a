import { integrations } from './kind.ts'
import type { WrittenAs, WrittenField } from './written.ts'

type Beside = Omit<WrittenField, 'name' | 'label' | 'as'>

const field = (
  name: string,
  label: string,
  { as = 'text', ...rest }: Beside & { as?: WrittenAs } = {},
): WrittenField => ({ name, label, as, ...rest })

const name = field('name', 'Name', { required: true })
const description = field('description', 'Description', { as: 'long' })

const taxCategory = field('tax_category', 'Tax category', {
  as: { choice: ['saas', 'digital_products', 'e_book', 'edtech', 'live_tutoring'] },
  required: true,
  initially: 'saas',
})
const intervals: WrittenAs = { choice: ['Day', 'Week', 'Month', 'Year'] }
const recurring: Beside = { beside: ['price.type', ['recurring_price', 'usage_based_price']] }

const price: readonly WrittenField[] = [
  field('price.type', 'Price', {
    as: { choice: ['one_time_price', 'recurring_price', 'usage_based_price'] },
    required: true,
    initially: 'recurring_price',
  }),
  field('price.currency', 'Currency', { required: true, initially: 'USD' }),
  field('price.price', 'Amount', {
    as: { money: 'price.currency' },
    required: true,
    beside: ['price.type', ['one_time_price', 'recurring_price']],
  }),
  field('price.fixed_price', 'Fixed amount', {
    as: { money: 'price.currency' },
    required: true,
    initially: '0',
    beside: ['price.type', ['usage_based_price']],
  }),
  field('price.discount', 'Taken off, in percent', {
    as: 'count',
    required: true,
    initially: '0',
  }),
  field('price.payment_frequency_count', 'Paid every', {
    as: 'count',
    required: true,
    initially: '1',
    ...recurring,
  }),
  field('price.payment_frequency_interval', 'of these', {
    as: intervals,
    required: true,
    initially: 'Month',
    ...recurring,
  }),
  field('price.subscription_period_count', 'Lasts', {
    as: 'count',
    required: true,
    initially: '10',
    ...recurring,
  }),
  field('price.subscription_period_interval', 'of these', {
    as: intervals,
    required: true,
    initially: 'Year',
    ...recurring,
  }),
  field('price.trial_period_days', 'Trial, in days', {
    as: 'count',
    beside: ['price.type', ['recurring_price']],
  }),
  field('price.meters', 'Meters', {
    as: 'json',
    hint: 'Such as [{"meter_id": "mtr_…", "price_per_unit": "0.01"}].',
    beside: ['price.type', ['usage_based_price']],
  }),
]

const product: readonly WrittenField[] = [
  name,
  description,
  taxCategory,
  ...price,
  field('pricing_mode', 'Prices elsewhere', {
    as: { choice: ['by_currency', 'by_country'] },
    hint: 'With one of them, its page takes prices for other markets.',
  }),
  field('entitlements', 'Entitlements', {
    as: { idsAs: 'entitlement_id' },
    hint: 'Their ids.',
  }),
  field('credit_entitlements', 'Credits', {
    as: 'json',
    hint: 'Such as [{"credit_entitlement_id": "cde_…", "credits_amount": "1000"}].',
  }),
  field('addons', 'Add-ons', { as: 'ids', hint: 'Their ids.' }),
]

const credit: readonly WrittenField[] = [
  name,
  description,
  field('unit', 'Unit', { required: true, initially: 'credit' }),
  field('precision', 'Decimals', { as: 'count', required: true, once: true, initially: '2' }),
  field('expires_after_days', 'Expires after so many days', { as: 'count' }),
  field('rollover_enabled', 'Rolls over', { as: 'flag', required: true, initially: 'false' }),
  field('rollover_percentage', 'Percent that roll over', { as: 'count' }),
  field('overage_enabled', 'Overage', { as: 'flag', required: true, initially: 'false' }),
  field('overage_limit', 'Overage at most', { as: 'count' }),
  field('overage_behavior', 'What becomes of overage', {
    as: {
      choice: [
        'forgive_at_reset',
        'invoice_at_billing',
        'carry_deficit',
        'carry_deficit_auto_repay',
      ],
    },
  }),
  field('price_per_unit', 'Price of a unit of overage', { as: 'decimal' }),
  field('currency', 'Currency', { hint: 'Such as USD.' }),
  field('low_balance_threshold', 'Low at', { as: 'decimal' }),
]

const entitlement: readonly WrittenField[] = [
  name,
  description,
  field('integration_type', 'What', {
    as: { choice: integrations },
    required: true,
    once: true,
    initially: 'feature_flag',
  }),
  field('integration_config', 'Its settings', {
    as: 'json',
    required: true,
    initially: '{"feature_id": "beta", "feature_type": "boolean"}',
    hint: 'Of files such as {"digital_file_ids": [], "external_url": "https://…"}, of a license key such as {"activations_limit": 3}; of the others the manual says.',
  }),
  field('metadata', 'Metadata', { as: 'json' }),
]

const addon: readonly WrittenField[] = [
  name,
  description,
  field('currency', 'Currency', { required: true, initially: 'USD' }),
  field('price', 'Amount', { as: { money: 'currency' }, required: true }),
  taxCategory,
]

const discount: readonly WrittenField[] = [
  field('code', 'Code', { hint: 'Left empty, one is made up.' }),
  field('name', 'Name'),
  field('type', 'Takes off', {
    as: { choice: ['percentage', 'flat'] },
    required: true,
    initially: 'percentage',
  }),
  field('amount', 'How much', {
    as: 'taken',
    required: true,
    initially: '10',
    hint: 'In percent, such as 12.5. A flat one takes off what stands below.',
  }),
  field('currency_options', 'In each currency', {
    as: 'json',
    hint: 'Such as [{"currency": "USD", "max_amount_possible": 500, "is_default": true}].',
    beside: ['type', ['flat']],
  }),
  field('usage_limit', 'Uses at most', { as: 'count' }),
  field('per_customer_usage_limit', 'Uses of a customer at most', { as: 'count' }),
  field('restricted_to', 'Only for products', { as: 'ids', hint: 'Their ids.' }),
  field('starts_at', 'Starts', { as: 'moment' }),
  field('expires_at', 'Expires', { as: 'moment' }),
  field('subscription_cycles', 'For so many cycles', { as: 'count' }),
]

const collection: readonly WrittenField[] = [
  name,
  description,
  field('groups', 'Groups', {
    as: 'json',
    required: true,
    once: true,
    initially: '[{"group_name": "Plans", "products": [{"product_id": "pdt_…"}]}]',
  }),
]

const brand: readonly WrittenField[] = [
  field('name', 'Name'),
  description,
  field('url', 'Address on the web'),
  field('support_email', 'E-mail address for support'),
  field('statement_descriptor', 'On statements'),
]

const customer: readonly WrittenField[] = [
  name,
  field('email', 'E-mail address', { required: true }),
  field('phone_number', 'Telephone', { hint: 'Such as +4930123456.' }),
  field('metadata', 'Metadata', { as: 'json' }),
]

const license: readonly WrittenField[] = [
  field('customer_id', 'Customer', { required: true, once: true, hint: 'The id.' }),
  field('product_id', 'Product', { required: true, once: true, hint: 'The id.' }),
  field('key', 'Key', { required: true, once: true, hint: 'One that you have given out.' }),
  field('activations_limit', 'Activations at most', { as: 'count' }),
  field('expires_at', 'Expires', { as: 'moment' }),
]

const writings: Readonly<Record<string, readonly WrittenField[]>> = {
  customers: customer,
  'credit-entitlements': credit,
  entitlements: entitlement,
  products: product,
  addons: addon,
  discounts: discount,
  'product-collections': collection,
  brands: brand,
  licenses: license,
}

/** The fields by which a thing of a kind is made and changed; null: it is not. */
export const writingOf = (step: string): readonly WrittenField[] | null => writings[step] ?? null
