import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { FoundKey, Keys } from '../../parts/store/keys.ts'
import { pauseFor } from '../../runtime/pause.ts'

type Found = FoundKey | null

interface Waiting {
  readonly hash: Uint8Array
  readonly since: number
  resolve(found: Found): void
  reject(error: unknown): void
}

/** Finds a key by the hash of its text. `known`: the key was found before. */
export type KeyFinder = (hash: Uint8Array, known: boolean) => Promise<Found>

/**
 * Gathers look-ups: one question is under way at a time, and what is asked meanwhile goes with the
 * next. Keys that were found before have a lane of their own, so that they never wait behind
 * guesses, however many those are. Each lane needs a connection of its own. After a question that
 * found no key at all the store has a rest, in which guesses gather.
 */
export function keyFinder(keys: Pick<Keys, 'find'>): KeyFinder {
  const [known, unknown] = [lane(keys), lane(keys)]
  return (hash, isKnown) => (isKnown ? known : unknown)(hash)
}

function lane(keys: Pick<Keys, 'find'>): (hash: Uint8Array) => Promise<Found> {
  let waiting: Waiting[] = []
  let asking = false
  return (hash) =>
    new Promise((resolve, reject) => {
      waiting.push({ hash, since: performance.now(), resolve, reject })
      if (!asking) void ask()
    })

  async function ask(): Promise<void> {
    asking = true
    // Waits for the end of this turn, so that look-ups of the same turn go together.
    await undefined
    while (waiting.length > 0) {
      const anyFound = await fly(next())
      if (!anyFound) await pauseFor(limits.guessedRestMs)
    }
    asking = false
  }

  /** Look-ups that waited too long were answered already, and are not asked any more. */
  function next(): readonly Waiting[] {
    const late = performance.now() - limits.keyLookupMs
    for (const { since, reject } of waiting) if (since < late) reject(tooLate())
    waiting = waiting.filter(({ since }) => since >= late)
    return waiting.splice(0, limits.keysPerLookupMax)
  }

  /** Whether a key was found, or none was asked for. */
  async function fly(flight: readonly Waiting[]): Promise<boolean> {
    if (flight.length === 0) return true
    try {
      const found = await keys.find(flight.map(({ hash }) => hash))
      flight.forEach(({ resolve }, index) => {
        resolve(found[index] ?? null)
      })
      return found.some((one) => one !== null)
    } catch (error) {
      for (const { reject } of flight) reject(error)
      return true
    }
  }
}

const tooLate = (): Fault =>
  new Fault('UNAVAILABLE', 'Keys cannot be checked just now; try again.', { retryAfterSeconds: 1 })
