/** Keeps things by name for a while. */
export interface Shelf<Thing> {
  find(name: string, nowMs: number): Thing | null
  put(name: string, thing: Thing, nowMs: number): void
}

export interface ShelfOptions {
  /** For how long a thing is found at least, unless more than `most` were put after it. */
  readonly keptMs: number
  readonly most: number
}

/**
 * Forgets whole layers instead of single things: every `keptMs`, and whenever there are `most`,
 * everything that was put before the last such moment goes at once.
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
