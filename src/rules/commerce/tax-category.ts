/** [resources#names-of-choices] */
export const taxCategories = [
  'digital_products',
  'saas',
  'e_book',
  'edtech',
  'live_tutoring',
] as const
export type TaxCategory = (typeof taxCategories)[number]
