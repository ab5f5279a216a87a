import type { Instant } from '../../std/instant.ts'

export interface SealRequest {
  /** The last account of the round before; '' begins again. */
  readonly behind: string
  readonly accountsMax: number
  /** How many rows of usage one call seals: it holds their locks, and has to end in time. */
  readonly rowsMax: number
  /** Seals cycles that were closed at or before this real time; test clocks run ahead of it. */
  readonly upTo: Instant
}

export interface Sealed {
  /** Behind which account to go on; null: there are no more accounts. */
  readonly last: string | null
  /** Rows of usage. */
  readonly rows: number
}

/**
 * Takes the usage of closed cycles, and what was charged for it, out of what settling loads. A seal
 * is only a hint: whatever is measured or voided all the same breaks it, and is charged as ever.
 * [machines#writers]
 */
export interface Sealing {
  /**
   * Seals those closed cycles of the next accounts that are settled and charged for. Waits for
   * nobody: rows that another transaction is writing are left for another time. Any number of
   * processes may do it.
   */
  seal(request: SealRequest): Promise<Sealed>
}
