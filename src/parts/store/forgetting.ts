import type { Positions } from '../../rules/meter/place.ts'
import type { Instant } from '../../std/instant.ts'

/** What no read can come upon any more, though no day's partition holds it. */
export interface Forgetting {
  /** Of each partition the first offset that an event can still be read at; it only rises. */
  keptFrom(): Promise<Positions>

  /**
   * Looks at up to `rowsMax` changes of routing behind `behind`, and forgets those that none of the
   * kept events was measured with: a later change of the same was made before all of them.
   */
  routing(of: {
    readonly behind: number
    readonly rowsMax: number
    readonly keptFrom: Positions
  }): Promise<{
    /** The last that was looked at; null behind the end. */
    readonly last: number | null
    readonly rows: number
  }>

  /**
   * Empties up to `rowsMax` records in quarantine since before `before`: that they were there stays
   * in the books, for the counts to agree.
   */
  quarantine(before: Instant, rowsMax: number): Promise<number>
}
