import type { Positions } from '../../rules/meter/place.ts'
import type { Instant } from '../../std/instant.ts'

/** Deletes rows that no read can reach any more and that lie in no day's partition. */
export interface Forgetting {
  /** For each partition the first offset of which an event can still be read; it only rises. */
  keptFrom(): Promise<Positions>

  /**
   * Looks at up to `rowsMax` changes of routing behind `behind`, and deletes those that none of the
   * kept events was measured with, because a later change of the same thing came before all of
   * them.
   */
  routing(of: {
    readonly behind: number
    readonly rowsMax: number
    readonly keptFrom: Positions
  }): Promise<{
    /** The last change that was looked at; null: there are no more. */
    readonly last: number | null
    readonly rows: number
  }>

  /**
   * Deletes up to `rowsMax` replaced versions of meters, default links and routes under which no
   * kept event was measured, and answers how many. How far measuring had come is noted some minutes
   * after a version was replaced: by then, nothing that was measured under it is still on its way.
   */
  versions(of: { readonly rowsMax: number; readonly keptFrom: Positions }): Promise<number>

  /**
   * Empties up to `rowsMax` records that were put into quarantine before `before`. The rows stay,
   * so that the counts still agree.
   */
  quarantine(before: Instant, rowsMax: number): Promise<number>
}
