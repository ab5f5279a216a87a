/** What a buyer answered to a field that the seller put on the checkout page. */
export interface CustomFieldResponse {
  /** The field's. */
  readonly key: string
  readonly value: string
}
