/** What a scrape of the metrics says about how the pipeline is doing, all businesses together. */
export interface ServerReading {
  readonly lag: number
  /** Null where this process measures nothing. */
  readonly unaccounted: number | null
  /** Received → committed: how many took at most so many seconds, by ascending bounds. */
  readonly freshness: readonly { readonly seconds: number; readonly count: number }[]
}

const line = /^sluice_(\w+)(?:\{([^}]*)\})? (\S+)$/gm

/** Reads the text of a scrape. */
export function readExposition(text: string): ServerReading {
  let lag = 0
  let unaccounted: number | null = null
  const freshness: { seconds: number; count: number }[] = []
  for (const [, name, labels = '', value] of text.matchAll(line)) {
    const number = Number(value)
    if (name === 'log_lag_events') lag += number
    else if (name === 'unaccounted_events') unaccounted = number
    else if (name === 'billing_freshness_seconds_bucket') {
      freshness.push({ seconds: boundOf(labels), count: number })
    }
  }
  return { lag, unaccounted, freshness }
}

function boundOf(labels: string): number {
  const bound = /le="([^"]*)"/.exec(labels)?.[1]
  return bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound)
}

/**
 * The time within which a share of what was measured between two readings was measured; null where
 * nothing was. Within a bucket as if all were spread evenly.
 */
export function freshnessBetween(
  before: ServerReading,
  after: ServerReading,
  share: number,
): number | null {
  const counts = after.freshness.map(({ seconds, count }, index) => ({
    seconds,
    count: count - (before.freshness[index]?.count ?? 0),
  }))
  const total = counts.at(-1)?.count ?? 0
  if (total <= 0) return null
  const wanted = share * total
  let [from, below] = [0, 0]
  for (const { seconds, count } of counts) {
    if (count >= wanted) {
      if (!Number.isFinite(seconds)) return from
      return from + ((seconds - from) * (wanted - below)) / Math.max(1, count - below)
    }
    from = seconds
    below = count
  }
  return from
}
