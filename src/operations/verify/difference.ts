/** Something that should agree, and does not. */
export interface Difference {
  readonly kind:
    | 'account'
    | 'partition'
    | 'fact'
    | 'subscription'
    | 'wallet'
    | 'discount'
    | 'balance'
    | 'payout'
    | 'invoice'
    | 'brought'
    | 'grant'
    | 'owner'
    | 'moment'
    | 'saying'
    | 'usage'
    | 'boundary'
  /** That of the account, the wallet's customer and so on; null where the sentence names it. */
  readonly id: string | null
  readonly businessId: string | null
  /** A complete sentence, for a person. */
  readonly sentence: string
}
