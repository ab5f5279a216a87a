/** Things by name that are of no use after a while. */
export interface Shelf<Thing> {
  find(name: string, nowMs: number): Thing | null
  put(name: string, thing: Thing, nowMs: number): void
}

export interface ShelfOptions {
  /** What was put less than so long ago is found, unless there were more than `most` since. */
  readonly keptMs: number
  readonly most: number
}

/**
 * Forgets without looking for what to forget: every `keptMs`, and when there are `most`, what was
 * put before the last such moment goes, all at once.
 */
export function shelf<Thing>({ keptMs, most }: ShelfOptions): Shelf<Thing> {
  let young = new Map<string, Thing>()
  let old = new Map<string, Thing>()
  let turnedAt = Number.NEGATIVE_INFINITY
  return { find, put }

  function find(name: string, nowMs: number): Thing | null {
    if (nowMs - turnedAt >= keptMs) turn(nowMs)
    return young.get(name) ?? old.get(name) ?? null
  }

  function put(name: string, thing: Thing, nowMs: number): void {
    if (young.size >= most && !young.has(name)) turn(nowMs)
    young.set(name, thing)
  }

  function turn(nowMs: number): void {
    old = young
    young = new Map()
    turnedAt = nowMs
  }
}
