import type { Leases } from '../parts/store/leases.ts'

/**
 * The same work, done only while this process holds the lease `name`: of several, one does it. A
 * holder that was stopped for long may go on beside its successor for a moment, so the work must be
 * right all the same: a lease saves double work, it guards nothing.
 */
export type Alone = (name: string, work: () => Promise<boolean>) => () => Promise<boolean>

/** A holder that vanishes is succeeded within this. */
const leaseMs = 10_000

/** How often one who has it renews it, and one who has not asks for it. */
const askMs = 2_000

/** `holder` names this process's engine, and nobody else. */
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
