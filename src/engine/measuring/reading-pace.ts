/** Says how long to leave the log alone, so that the next batch holds what is newest. */
export interface ReadingPace {
  /** What measuring a batch took, in ms. */
  measured(ms: number): void
  /** What committing a batch took, in ms. */
  committed(ms: number): void
  /**
   * For how long to wait, in ms from the beginning of a commit, before the next batch is read: as
   * long as committing usually takes, less what measuring does.
   */
  restMs(): number
  /** For how long to wait after that, in ms, while there is no more to read than gets measured. */
  gapMs(): number
}

/** How many of the last batches count. */
const remembered = 8

const gap = { min: 10, max: 20 }

/**
 * A batch waits for the commit of the one before it. Read as that commit begins, it lacks all that
 * comes meanwhile, which then waits for two commits more; read just in time to be measured when the
 * commit ends, it has that, too, and its own commit begins no later.
 *
 * A commit costs by the rows of usage that it touches, which are hardly fewer where a batch holds a
 * third of the events. Begun as soon as the one before it has ended, commits would take whole
 * processors at a tenth of the load that these can bear, and hold up those who read balances. So
 * there is a gap, of which events wait for half on average.
 */
export function readingPace(): ReadingPace {
  const [measuring, committing] = [lastFew(), lastFew()]
  return {
    measured: measuring.add,
    committed: committing.add,
    restMs: () => Math.max(0, committing.usual() - measuring.usual()),
    gapMs: () => Math.min(Math.max(gap.min, committing.usual()), gap.max),
  }
}

function lastFew() {
  const values: number[] = []
  return {
    add(value: number): void {
      values.push(value)
      if (values.length > remembered) values.shift()
    },
    /** The one in the middle: a batch that waited for the store says nothing of the next. */
    usual: () => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0,
  }
}
