import type { Leases } from '../parts/store/leases.ts'

/**
 * The same work, done only while this process holds the lease `name`, so that one of several
 * processes does it. A holder that was suspended for long may go on beside its successor for a
 * moment, so the work must stay right even then: the lease only avoids doing it twice.
 */
export type Alone = (name: string, work: () => Promise<boolean>) => () => Promise<boolean>

/** How soon a holder that vanished is succeeded. */
const leaseMs = 10_000

/** How often the holder renews its lease, and the others ask for it. */
const askMs = 2_000

/** `holder` names the engine of this process and of no other. */
export const aloneIn =
  (leases: Leases, holder: string): Alone =>
  (name, work) => {
    let held = false
    let askedAt = Number.NEGATIVE_INFINITY
    return async () => {
      if (performance.now() - askedAt >= askMs) {
        held = await leases.take(name, holder, leaseMs)
        askedAt = performance.now()
      }
      return held ? work() : false
    }
  }
