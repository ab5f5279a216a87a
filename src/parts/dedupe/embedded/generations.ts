import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { Duration } from '../../../std/instant.ts'
import type { Fingerprints, Known } from '../port.ts'
import type { Family } from './family.ts'
import { createFamily } from './family.ts'
import type { DedupeSegment } from './table.ts'

/**
 * The generations of one partition. A generation is half a window of running time; three live:
 *
 *        forgotten │ newest − 2 │ newest − 1 │ newest …
 *   ───────────────┴────────────┴────────────┴──────────► running time
 *                       ◄──── a whole window ────► t
 *
 * Wherever t stands in the newest, the two before it cover a whole window back; at most one and a
 * half are kept. Ids always go into the newest: no clock, and no record's own time, places them, so
 * none is forgotten as it comes. [machines#dedupe, guarantees#clocks]
 */
export interface Generations {
  known(ids: Fingerprints): Known
  /** The generation for ids that came in at running time `ran`: the newest one, or a later one. */
  at(ran: Duration): number
  /** Moves the newest on to this generation, and drops what is too old then. */
  advance(generation: number): void
  /** Adds ids to a generation that is live. */
  add(generation: number, ids: Fingerprints): void
  newest(): number | null
  count(): number
}

export const liveGenerations = 3

export interface GenerationsNeeds {
  readonly windowUs: Duration
  readonly newest: number | null
  /** Called with a segment that readers in other threads may look into from now on. */
  announce(generation: number, segment: DedupeSegment): void
  /** Generations before this one are gone. */
  dropped(before: number): void
}

export function createGenerations(needs: GenerationsNeeds): Generations {
  const families = new Map<number, Family>()
  // Rounded up: two generations may cover more than the window, never less.
  const half = Math.ceil(needs.windowUs / 2)
  let newest = needs.newest
  return { known, at, advance, add, newest: () => newest, count }

  function known(ids: Fingerprints): Known {
    const answer = new Uint8Array(ids.length / fingerprintWords)
    for (const family of families.values()) family.lookup(ids, answer)
    return answer
  }

  function at(ran: Duration): number {
    return Math.max(Math.floor(ran / half), newest ?? 0)
  }

  function advance(generation: number): void {
    if (newest !== null && generation <= newest) return
    newest = generation
    const before = newest - liveGenerations + 1
    for (const old of families.keys()) if (old < before) families.delete(old)
    needs.dropped(before)
  }

  function add(generation: number, ids: Fingerprints): void {
    if (ids.length === 0) return
    const family = families.get(generation) ?? begin(generation, ids.length / fingerprintWords)
    family.add(ids)
  }

  /**
   * The generation before this one says best how large this one will get; a sixteenth is added for
   * growth.
   */
  function begin(generation: number, ids: number): Family {
    const before = families.get(generation - 1)?.count() ?? 0
    const expected = Math.max(ids, before + (before >>> 4))
    const family = createFamily(expected, (segment) => needs.announce(generation, segment))
    families.set(generation, family)
    return family
  }

  function count(): number {
    return [...families.values()].reduce((sum, family) => sum + family.count(), 0)
  }
}
