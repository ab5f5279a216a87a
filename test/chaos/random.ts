/** Random numbers by a seed: the same seed gives the same numbers. */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** A whole number in [0, bound). */
  below(bound: number): number
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  shuffled<T>(items: readonly T[]): T[]
  /** A stream of its own: what one part draws does not change what another part gets. */
  stream(name: string): Random
}

/** Mulberry32: small, and random enough to choose what breaks next. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const random: Random = {
    next,
    below,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick,
    shuffled,
    stream: (name) => randomFrom(mixed(seed, name)),
  }
  return random

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), 1 | state)
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
  }

  function below(bound: number): number {
    return Math.floor(next() * bound)
  }

  function pick<T>(items: readonly T[]): T {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('There is nothing to pick from.')
    return item
  }

  function shuffled<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ item, key: next() }))
    return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
  }
}

/** FNV-1a over the name, begun at the seed. */
function mixed(seed: number, name: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0
  for (const character of name) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  return hash
}
