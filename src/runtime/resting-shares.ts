import { pauseFor } from './pause.ts'
import { recentUse } from './recent-use.ts'
import type { Leave, Shares } from './shares.ts'

export interface RestingShares {
  /** As `Shares`, but that who leaves may have to rest: the place is given back after that. */
  enter(name: string, signal: AbortSignal): Promise<Leave>
}

/** Real time, or that of a test. */
export interface RestingTime {
  readonly now: () => number
  readonly pauseFor: (ms: number) => Promise<unknown>
}

const realTime: RestingTime = { now: () => performance.now(), pauseFor }

/**
 * Places that are kept after their use, for as long again, where the caller has hung up: otherwise
 * others would come to read more often by giving up. So are those of a name that uses more than all
 * others together, while there are others: it would keep a core of the store busy. Both together
 * keep a place twice as long. `halfMs`: after how long a use counts half. [machines#backpressure]
 */
export function restingShares(shares: Shares, halfMs: number, time = realTime): RestingShares {
  const used = recentUse(halfMs, time.now)
  return {
    async enter(name, signal) {
      const leave = await shares.enter(name, signal)
      const from = time.now()
      return () => {
        const took = time.now() - from
        const rests = Number(signal.aborted) + Number(used.isMost(name))
        used.add(name, took * (1 + rests))
        if (rests === 0) leave()
        else void time.pauseFor(took * rests).then(leave)
      }
    },
  }
}
