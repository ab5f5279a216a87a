import { Fault } from '../faults.ts'
import { pauseFor } from './pause.ts'

export interface PacingOptions {
  /** How many pass at once after a quiet time. */
  readonly burst: number
  /** After these, one passes every so many ms. */
  readonly everyMs: number
  /** How many may wait for that. */
  readonly waitingMax: number
}

/**
 * Lets calls pass at an even rate, for each name (business) by itself. Throws TOO_MANY_REQUESTS
 * where too many of that name wait already. `now` is in ms, and never goes back.
 */
export type Pacing = (name: string) => Promise<void>

export function openPacing(
  { burst, everyMs, waitingMax }: PacingOptions,
  now: () => number = () => performance.now(),
): Pacing {
  // For each name, when its last call was due at the even rate; in the order of those times.
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

  /** Forgets names that have all of their burst again, since names come from outside. */
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
