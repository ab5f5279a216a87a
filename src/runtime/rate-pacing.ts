import { Fault } from '../faults.ts'
import { pauseFor } from './pause.ts'

export interface PacingOptions {
  /** So many pass at once, after a while of nothing. */
  readonly burst: number
  /** After them, one every so many ms. */
  readonly everyMs: number
  /** How many wait for that, at most. */
  readonly waitingMax: number
}

/**
 * Lets pass at an even rate, each name (business) for itself. TOO_MANY_REQUESTS where too many of
 * that name wait already. `now` is in ms, and never goes back.
 */
export type Pacing = (name: string) => Promise<void>

export function openPacing(
  { burst, everyMs, waitingMax }: PacingOptions,
  now: () => number = () => performance.now(),
): Pacing {
  // When the last one that was let pass would have, at the even rate; in the order of those times.
  const due = new Map<string, number>()
  return async (name) => {
    const at = now()
    forget(at)
    const next = Math.max(due.get(name) ?? 0, at - burst * everyMs) + everyMs
    if (next - at > waitingMax * everyMs) throw tooMany(waitingMax * everyMs)
    due.delete(name)
    due.set(name, next)
    if (next > at) await pauseFor(next - at)
  }

  /** Who would have everything again is nobody to be remembered; names come from outside. */
  function forget(at: number): void {
    for (const [name, last] of due) {
      if (last > at - burst * everyMs) return
      due.delete(name)
    }
  }
}

const tooMany = (waitMs: number): Fault =>
  new Fault('TOO_MANY_REQUESTS', 'Too many changes of the catalog at a time; wait for some.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
