/** Where who pays is; only the country is always known. [resources#subscriptions] */
export interface BillingAddress {
  readonly country: string
  readonly city: string | null
  readonly state: string | null
  readonly street: string | null
  readonly zipcode: string | null
}
