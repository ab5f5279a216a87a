/** What an audit reads of wallets and discounts: what does not add up, as it is found. */
export interface AuditCommerce {
  /** Wallets that differ from their entries, and entries that do not follow from each other. */
  bentWallets(businessId: string | null): AsyncIterable<BentRow>

  /** Discounts whose count differs from their uses. */
  miscounted(businessId: string | null): AsyncIterable<BentRow>
}

export interface BentRow {
  readonly businessId: string
  /** The customer's, or the discount's. */
  readonly id: string
  /** What is wrong with it, without a subject: `its USD wallet holds 5, but …`. */
  readonly what: string
}
