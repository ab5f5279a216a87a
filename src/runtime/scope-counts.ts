/** A business and mode. */
interface CountedScope {
  readonly businessId: string
  readonly mode: string
}

/** Counts by business and mode, since the process began. */
export interface ScopeCounts {
  add(scope: CountedScope, count: number): void
  /** By `scopeName`. */
  now(): ReadonlyMap<string, number>
}

/** Of how many businesses and modes is counted; beyond it the oldest is forgotten. */
const scopesMax = 1_000

export function scopeCounts(): ScopeCounts {
  const counts = new Map<string, number>()
  return { add, now: () => new Map(counts) }

  function add(scope: CountedScope, count: number): void {
    const name = scopeName(scope)
    const before = counts.get(name)
    counts.set(name, (before ?? 0) + count)
    if (before !== undefined || counts.size <= scopesMax) return
    const [oldest] = counts.keys()
    if (oldest !== undefined) counts.delete(oldest)
  }
}

export const scopeName = ({ businessId, mode }: CountedScope): string => `${mode} ${businessId}`
