/**
 * What becomes of a charge: what its processor knows, and how well it tells. Processors are
 * outside: the model and the real run ask the same one.
 */
export interface Fate {
  readonly truth: 'paid' | 'declined' | 'never'
  /** Seconds until the processor knows. */
  readonly after: number
  /**
   * Whether its answer is heard; is lost on the way; or kills the process that hears it, before it
   * can write it down.
   */
  readonly answer: 'heard' | 'lost' | 'dies'
  /** Whether it asks the holder of the card first, where there is one. */
  readonly asks: boolean
  /** What it tells by itself so many seconds later, in whatever order. */
  readonly news: readonly { readonly after: number; readonly stale: boolean }[]
}

export type Said = 'paid' | 'declined' | 'waits' | 'asks'

/** A charge that was asked for. */
export interface Charge {
  readonly fate: Fate
  readonly hasHolder: boolean
  /** When it was asked for, or confirmed. */
  from: number
  /** What its holder has said; null: nothing, or nobody was asked. */
  passed: boolean | null
}

/** What the processor says of a charge when it is asked. */
export function saidOf({ fate, from, hasHolder, passed }: Charge, now: number): Said {
  if (fate.asks && hasHolder && passed === null) return 'asks'
  if (passed === false) return 'declined'
  if (fate.truth === 'never' || now < from + fate.after) return 'waits'
  return fate.truth
}

/** What it is going to tell by itself, counted from its answer. */
export function newsOf(charge: Charge): readonly { readonly after: number; readonly said: Said }[] {
  const { fate, from } = charge
  const settles = saidOf(charge, from + fate.after)
  if (settles === 'asks' || charge.passed === false) return []
  return fate.news.map(({ after, stale }) => ({
    after,
    said: stale || after < fate.after ? 'waits' : settles,
  }))
}
