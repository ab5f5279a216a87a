/**
 * How a line of usage or of overage came to its amount, for papers to say in their language.
 * Numbers are plain decimal text, prices in major units. [invoices#what-stands-on-it]
 */
export type LineWorth = UsageWorth | OverageWorth

export interface UsageWorth {
  readonly kind: 'usage'
  /** Each billing period that adds to the line. */
  readonly periods: readonly PeriodWorth[]
}

export interface PeriodWorth {
  readonly units: string
  /** How many of them cost nothing; null: none. */
  readonly free: string | null
  /** Of a unit; null: terms have changed within the period, and no one price explains it. */
  readonly price: string | null
  /** Whether some of it was billed before. */
  readonly isRest: boolean
}

export interface OverageWorth {
  readonly kind: 'overage'
  readonly credits: string
  /** What the business calls a credit. */
  readonly unit: string
  /** Of a credit. */
  readonly price: string
}
