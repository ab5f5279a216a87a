/** What an audit reads of wallets and discounts: what does not add up, as it is found. */
export interface AuditCommerce {
  /** Wallets that differ from their entries, and entries that do not follow from each other. */
  bentWallets(businessId: string | null): AsyncIterable<BentRow>

  /** Ledgers of businesses' money that do not follow from what they book, or break. */
  bentBalances(businessId: string | null): AsyncIterable<BentRow>

  /** Payouts that pay something else than their entries, or are not booked behind them. */
  bentPayouts(businessId: string | null): AsyncIterable<BentRow>

  /** Papers whose numbers have gaps, or that say something else than what they are about. */
  bentInvoices(businessId: string | null): AsyncIterable<BentRow>

  /** License keys and credits that no payment backs, and keys that miscount their instances. */
  bentBrought(businessId: string | null): AsyncIterable<BentRow>

  /** Grants and license keys that differ from what is paid. */
  bentGrants(businessId: string | null): AsyncIterable<BentRow>

  /** Rows of money that name somebody else than what they follow from. */
  bentOwners(businessId: string | null): AsyncIterable<BentRow>

  /** Rows of money that say another moment than what they follow from. */
  bentMoments(businessId: string | null): AsyncIterable<BentRow>

  /** Rows of money whose words differ from what the others say, or cannot be theirs. */
  bentSayings(businessId: string | null): AsyncIterable<BentRow>

  /** Discounts whose count differs from their uses. */
  miscounted(businessId: string | null): AsyncIterable<BentRow>
}

export interface BentRow {
  readonly businessId: string
  /** The customer's, the discount's, the payout's and so on. */
  readonly id: string
  /** What is wrong with it, without a subject: `its USD wallet holds 5, but …`. */
  readonly what: string
}
