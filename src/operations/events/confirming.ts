import type { Owner } from '../../rules/archive/line.ts'

/** Tells repeats from other events with their fingerprint, as far as that can be afforded. */
export interface Confirming {
  /**
   * Which of the ids, all known to dedupe, are certainly not repeats. Never rejects: what could not
   * be looked at is a repeat.
   */
  others(owner: Owner, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Whether `others` would look just now. */
  affords(): boolean
}

export interface ConfirmingOptions {
  readonly isAnother: (owner: Owner, eventId: string) => Promise<boolean>
  /** So many looks a second, and at once after a quiet one. */
  readonly perSecond: number
  /** So long one who asks waits at most. */
  readonly withinMs: number
}

const underWayMax = 4

export function confirming({ isAnother, perSecond, withinMs }: ConfirmingOptions): Confirming {
  let [left, filledAt, underWay] = [perSecond, performance.now(), 0]
  return { others, affords }

  async function others(owner: Owner, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    const until = performance.now() + withinMs
    for (const id of ids) {
      if (performance.now() >= until || !affords()) break
      left -= 1
      const answer = await within(isAnother(owner, id), until - performance.now())
      if (answer) found.add(id)
    }
    return found
  }

  function affords(): boolean {
    const now = performance.now()
    left = Math.min(perSecond, left + ((now - filledAt) / 1_000) * perSecond)
    filledAt = now
    return left >= 1 && underWay < underWayMax
  }

  /** One that comes too late goes on, and counts as under way until it has ended. */
  function within(work: Promise<boolean>, ms: number): Promise<boolean> {
    underWay += 1
    return new Promise((done) => {
      const timer = setTimeout(() => done(false), ms)
      work
        .then(done, () => done(false))
        .finally(() => {
          clearTimeout(timer)
          underWay -= 1
        })
    })
  }
}
