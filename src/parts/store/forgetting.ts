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
   * Forgets up to `rowsMax` replaced versions of meters, default links and routes that no kept event
   * was measured under, and answers how many there were. How far measuring had come is noted some
   * minutes after a version was replaced: by then nothing is on its way that was measured under it.
   */
  versions(of: { readonly rowsMax: number; readonly keptFrom: Positions }): Promise<number>

  /**
   * Empties up to `rowsMax` records in quarantine since before `before`: that they were there stays
   * in the books, for the counts to agree.
   */
  quarantine(before: Instant, rowsMax: number): Promise<number>
}
