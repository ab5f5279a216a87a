import type { ArchiveView } from '../../parts/store/archive.ts'
import type { Place } from '../../rules/archive/newest.ts'
import { skipOver } from '../../rules/archive/skipping.ts'
import type { Instant } from '../../std/instant.ts'
import { after, laterOf } from '../../std/instant.ts'
import type { Candidate, EventQuery, Look, Sieve } from './candidates.ts'
import { blockFilter, candidatesOf, eachPiece, placeKey } from './candidates.ts'

/** What a page is chosen of. */
export interface Listing {
  readonly view: ArchiveView
  readonly recent: readonly Candidate[]
  /** When the first of what is recent came into the log; null: nothing is recent. */
  readonly recentFrom: Instant | null
  readonly query: EventQuery
  readonly look: Look
}

/** Where a list stands in its depth. */
export interface Skipped {
  /** What is in front of this place is skipped; null: nothing is. */
  readonly behind: Place | null
  readonly skipped: number
}

export const nothingSkipped: Skipped = { behind: null, skipped: 0 }

/**
 * Passes over blocks whose events all count, by what the archive says of them: page 500 costs
 * little more than the first one. Blocks that reach beyond are opened, and what is not archived is
 * counted one by one.
 */
export async function passedOver({
  view,
  recent,
  recentFrom,
  query,
  look,
}: Listing): Promise<Skipped> {
  const isChosen = query.customerId ?? query.eventName ?? query.matches
  const most = query.offset - recent.length
  if (isChosen !== null || most <= 0) return nothingSkipped
  const blocks = await view.newest(blockFilter(query, null), most, recentFrom)
  const skip = skipOver(blocks, { most, end: query.end })
  if (skip === null) return nothingSkipped
  // No id comes behind an empty one: all of the moment before are behind this place.
  const behind = { at: after(skip.after, 1), id: '' }
  const start = query.start === null ? behind.at : laterOf(query.start, behind.at)
  const sieve: Sieve = { query: { ...query, start }, latest: null, oldest: () => null }
  const known = new Set(recent.map(placeKey))
  let skipped = skip.events + recent.filter(({ at }) => at >= behind.at).length
  for (let at = 0; at < skip.opened.length; at += openedAtOnce) {
    for (const block of await view.keyed(skip.opened.slice(at, at + openedAtOnce))) {
      await eachPiece(block, look, (piece) => {
        for (const one of candidatesOf(piece, sieve)) if (!known.has(placeKey(one))) skipped += 1
      })
    }
  }
  return { behind, skipped }
}

const openedAtOnce = 16
