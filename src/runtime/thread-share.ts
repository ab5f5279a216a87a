import { pauseFor } from './pause.ts'

/**
 * A slice of work that everything else on the thread waits for, and the longest rest after one, in
 * ms.
 */
const [sliceMs, restMsMax] = [2, 50]

let working = 0

/** Work in many pieces on a thread that others need, too. */
export interface Pace {
  /** Does one piece, which takes a fraction of a slice and waits for nothing. */
  piece<T>(work: () => T): T
  /** Between two pieces: null, or a promise to wait for before the next one. */
  rest(): Promise<void> | null
}

/**
 * All paced work together takes at most half of the thread: after a slice comes a rest of the same
 * length, and a longer one the more such work there is. Whatever comes in meanwhile waits for a
 * slice or two.
 */
export async function paced<T>(work: (pace: Pace) => Promise<T>): Promise<T> {
  let worked = 0
  working += 1
  return work({ piece, rest }).finally(() => {
    working -= 1
  })

  function piece<P>(doing: () => P): P {
    const since = performance.now()
    const done = doing()
    worked += performance.now() - since
    return done
  }

  function rest(): Promise<void> | null {
    if (worked < sliceMs) return null
    const restMs = Math.min(restMsMax, Math.max(1, worked * (2 * working - 1)))
    worked = 0
    return pauseFor(restMs)
  }
}
