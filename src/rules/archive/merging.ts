import { blockBytesMax, blockEventsMax } from './block.ts'

/** A kept block, without its contents. */
export interface BlockSize {
  readonly start: number
  readonly end: number
  readonly events: number
  /** Its size in the store, that is compressed. */
  readonly bytes: number
}

/** How many neighbours of about the same size become one block. */
const fanIn = 16

/** A cautious guess of the compression: repetitive events compress better, others less. */
const ratio = 8

/**
 * Which neighbouring blocks of a partition (in log order) should become one; none: empty. A quiet
 * log makes a block a second, and every search for an id asks every block.
 *
 * Blocks have tiers: below 16 events, below 256, and the rest. Sixteen neighbours of a tier or
 * below it are merged, so that an event is rewritten three times at most.
 */
export function blocksToMerge<T extends BlockSize>(blocks: readonly T[]): readonly T[] {
  for (let eventsMax = fanIn; eventsMax <= blockEventsMax; eventsMax *= fanIn) {
    const found = runOf(blocks, eventsMax)
    if (found.length > 0) return found
  }
  return []
}

function runOf<T extends BlockSize>(blocks: readonly T[], eventsMax: number): readonly T[] {
  let run: T[] = []
  for (const block of blocks) {
    if (block.events >= eventsMax || run.at(-1)?.end !== block.start) run = []
    if (block.events >= eventsMax) continue
    if (!fits([...run, block])) {
      // A run as large as a block may be is merged now; one that is a single block is done already.
      if (run.length > 1) return run
      run = []
    }
    run.push(block)
    if (run.length === fanIn) return run
  }
  return []
}

function fits(run: readonly BlockSize[]): boolean {
  const events = run.reduce((sum, block) => sum + block.events, 0)
  const bytes = run.reduce((sum, block) => sum + block.bytes * ratio, 0)
  return events <= blockEventsMax && bytes <= blockBytesMax
}
