/** How much each name (a business) has used lately of what all of them share. */
export interface RecentUse {
  add(name: string, ms: number): void
  /**
   * Whether the name has used more than half of the time, and more than all others together, while
   * there are others: who used a tenth of that at least.
   */
  isMost(name: string): boolean
}

interface Use {
  ms: number
  at: number
}

/** What is forgotten: less than this of it is left. */
const leastMs = 0.1

/** What was used counts half as much after each `halfMs`. */
export function recentUse(halfMs: number, now: () => number = () => performance.now()): RecentUse {
  const uses = new Map<string, Use>()
  const all: Use = { ms: 0, at: now() }
  // What is left of all the time that ever was, halved after each `halfMs`, is `halfMs / ln 2`.
  const halfOfTime = halfMs / Math.LN2 / 2
  return { add, isMost }

  function add(name: string, ms: number): void {
    const use = uses.get(name) ?? { ms: 0, at: now() }
    left(use)
    left(all)
    use.ms += ms
    all.ms += ms
    uses.delete(name)
    uses.set(name, use)
    forget()
  }

  function isMost(name: string): boolean {
    const use = uses.get(name)
    if (use === undefined) return false
    const others = left(all) - left(use)
    return use.ms > halfOfTime && use.ms > others && others * 10 > use.ms
  }

  function left(use: Use): number {
    const at = now()
    use.ms *= 0.5 ** ((at - use.at) / halfMs)
    use.at = at
    return use.ms
  }

  /** Names come from outside, so those that have used nothing lately are forgotten. */
  function forget(): void {
    for (const [name, use] of uses) {
      if (left(use) > leastMs) return
      uses.delete(name)
    }
  }
}
