import type { Instant } from '../../std/instant.ts'

/**
 * The order of a list: newest first, then by event id, in descending order like the time.
 * [requests#lists]
 */
export interface Place {
  readonly at: Instant
  readonly id: string
}

export function byNewest(a: Place, b: Place): number {
  if (a.at !== b.at) return b.at - a.at
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1
}

/** Keeps the newest `max` of all items that are offered, in memory for twice as many. */
export interface Newest<T extends Place> {
  offer(item: T): void
  /** Items behind this place cannot get in. Cheap to ask, and may lag behind `last`. */
  bound(): Place | null
  /**
   * The last place of a full selection: items behind it cannot get in. Null while there is room.
   */
  last(): Place | null
  /** The selection, newest first. */
  items(): readonly T[]
}

export function newest<T extends Place>(max: number): Newest<T> {
  let kept: T[] = []
  let lowest: T | null = null
  let settled = true
  return { offer, bound: () => lowest, last, items }

  function offer(item: T): void {
    if (lowest !== null && byNewest(item, lowest) >= 0) return
    kept.push(item)
    settled = false
    // Sorts and cuts at twice the size, so that there is one sort for every `max` items, in
    // whatever order they come.
    if (kept.length >= max * 2) settle()
  }

  function last(): Place | null {
    settle()
    return lowest
  }

  function items(): readonly T[] {
    settle()
    return kept
  }

  function settle(): void {
    if (settled) return
    kept.sort(byNewest)
    kept = kept.slice(0, max)
    lowest = kept.length === max ? (kept.at(-1) ?? null) : null
    settled = true
  }
}
