/** What chooses among a product's localized prices. [resources#localized-prices] */
export const pricingModes = ['by_currency', 'by_country'] as const
export type PricingMode = (typeof pricingModes)[number]
