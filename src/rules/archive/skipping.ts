import type { Instant } from '../../std/instant.ts'

/** How much a block holds of one business and mode, and of which time; both ends are included. */
export interface ListedBlock {
  readonly firstAt: Instant
  readonly lastAt: Instant
  readonly events: number
  /** Whether its events may stand somewhere else, too, where they are counted already. */
  readonly isDoubtful: boolean
}

/** How a list gets to a place in its depth without a look at most of what is in front of it. */
export interface Skip<T> {
  /** Everything after this moment is passed over. */
  readonly after: Instant
  /** Events in blocks that are passed over whole. */
  readonly events: number
  /** Blocks that reach beyond what is passed over: they must be opened to be counted. */
  readonly opened: readonly T[]
}

/**
 * Passes over as much as it may without passing over more than `most` events. `blocks` come with
 * the newest `lastAt` first; nothing after `end` counts. Null: nothing is passed over.
 */
export function skipOver<T extends ListedBlock>(
  blocks: readonly T[],
  { most, end }: { readonly most: number; readonly end: Instant | null },
): Skip<T> | null {
  const after = deepest(blocks, most)
  if (after === null) return null
  const passed = blocks.filter(({ lastAt }) => lastAt > after)
  const isWhole = ({ firstAt, lastAt, isDoubtful }: T) =>
    !isDoubtful && firstAt > after && (end === null || lastAt <= end)
  return {
    after,
    events: passed.filter(isWhole).reduce((sum, { events }) => sum + events, 0),
    opened: passed.filter((block) => !isWhole(block)),
  }
}

/** The earliest end of a block after which no more than `most` events can be. */
function deepest(blocks: readonly ListedBlock[], most: number): Instant | null {
  let [newer, sum] = [0, 0]
  let after: Instant | null = null
  for (const { lastAt, events } of blocks) {
    // Blocks that end at one moment are passed over together.
    if (lastAt !== after) newer = sum
    if (newer > most) break
    after = lastAt
    sum += events
  }
  return after
}
