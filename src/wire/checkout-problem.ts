import type { CheckoutCreate } from './checkout.ts'
import { isFontAddress } from './page-design.ts'

/** What is wrong with a body that its schema cannot say; null: nothing. */
export function checkoutProblem(body: CheckoutCreate): string | null {
  const flags = body.feature_flags ?? {}
  const dropdown = (body.custom_fields ?? []).findIndex(
    ({ field_type: type, options }) => type === 'dropdown' && (options ?? []).length === 0,
  )
  const keys = (body.custom_fields ?? []).map(({ key }) => key)
  if (dropdown >= 0) return `custom_fields[${dropdown}].options is missing: a dropdown needs them.`
  if (new Set(keys).size < keys.length) return 'custom_fields must have different keys.'
  if (body.discount_code != null && body.discount_codes != null) {
    return 'discount_code and discount_codes exclude each other; use discount_codes.'
  }
  if (body.product_collection_id != null) {
    const problem = collectionProblem(body)
    if (problem !== null) return problem
  }
  const font = fontNames.find((name) => {
    const url = body.customization?.theme_config?.[name] ?? null
    return url !== null && !isFontAddress(url)
  })
  if (font !== undefined) return `customization.theme_config.${font} is no address.`
  if (body.customer_business_name != null && body.tax_id == null) {
    return 'customer_business_name needs a tax_id.'
  }
  if (body.tax_id != null && body.billing_address == null) {
    return 'tax_id needs a billing_address with its country.'
  }
  if (flags['require_phone_number'] === true && flags['allow_phone_number_collection'] === false) {
    return 'feature_flags.require_phone_number needs allow_phone_number_collection.'
  }
  return body.confirm === true ? confirmProblem(body) : null
}

const fontNames = ['font_primary_url', 'font_secondary_url'] as const

/** The buyer chooses of a collection, so nothing has been chosen, nor lowered. */
function collectionProblem(body: CheckoutCreate): string | null {
  if (body.product_cart.length > 0) {
    return 'product_cart must be empty with product_collection_id: the buyer chooses.'
  }
  if (body.discount_code != null || (body.discount_codes ?? []).length > 0) {
    return 'discount_codes do not go with product_collection_id.'
  }
  if (body.subscription_data?.on_demand != null) {
    return 'subscription_data.on_demand does not go with product_collection_id.'
  }
  return body.confirm === true ? 'confirm needs a product_cart: nothing is chosen yet.' : null
}

/** With `confirm` nobody is asked for anything more. */
function confirmProblem({
  customer,
  billing_address: at,
  minimal_address: minimal,
}: CheckoutCreate) {
  if (customer == null) return 'confirm needs a customer.'
  if (at == null) return 'confirm needs a billing_address.'
  const needed =
    minimal === true ? (['zipcode'] as const) : (['street', 'city', 'zipcode'] as const)
  const missing = needed.find((name) => (at[name] ?? '') === '')
  return missing === undefined ? null : `confirm needs billing_address.${missing}.`
}
