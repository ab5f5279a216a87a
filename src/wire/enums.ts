export {
  type OverageBehavior,
  overageBehaviors,
} from '../rules/commerce/catalog/credit-settings.ts'
export { type ProrationBehavior, prorationBehaviors } from '../rules/commerce/catalog/product.ts'
export { type CountryCode, countryCodes } from '../rules/commerce/country.ts'
export { type Currency, currencies } from '../rules/commerce/currency.ts'
export {
  customerEligibilities,
  discountTypes,
} from '../rules/commerce/discounts/discount.ts'
export { type PricingMode, pricingModes } from '../rules/commerce/pricing-mode.ts'
export { type TaxCategory, taxCategories } from '../rules/commerce/tax-category.ts'
export { walletEventTypes } from '../rules/commerce/wallets/wallet.ts'

/** [resources#names-of-choices] */
export const timeIntervals = ['Day', 'Week', 'Month', 'Year'] as const
