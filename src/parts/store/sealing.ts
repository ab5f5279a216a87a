import type { Instant } from '../../std/instant.ts'

export interface SealRequest {
  /** The last account of the round before; '' begins again. */
  readonly behind: string
  readonly accountsMax: number
  /** Cycles that were closed at or before it: real time, moved ahead by test clocks. */
  readonly upTo: Instant
}

export interface Sealed {
  /** Null: there is no account behind. */
  readonly last: string | null
  /** Rows of usage. */
  readonly rows: number
}

/**
 * Takes the usage of closed cycles, and what was charged for it, out of what settling loads. A seal
 * is a hint and no promise: whatever is measured or voided all the same breaks it, and is charged
 * for as ever. [machines#writers]
 */
export interface Sealing {
  /**
   * Seals the next accounts' closed cycles that are settled and charged for. Waits for nobody: rows
   * that somebody is writing are left for another time. Any number of processes may do it.
   */
  seal(request: SealRequest): Promise<Sealed>
}
