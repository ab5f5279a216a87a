import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Boundaries, Boundary } from '../../parts/store/boundaries.ts'
import type { Measuring } from '../../parts/store/measuring.ts'
import type { CustomerKey } from '../../parts/store/scope.ts'
import type { BelievedClock } from '../../runtime/clock.ts'
import { pauseFor } from '../../runtime/pause.ts'
import { after, earlierOf } from '../../std/instant.ts'
import { Due } from '../accounts/change-accounts.ts'
import type { lost, Operation } from '../accounts/until-written.ts'
import { untilWritten } from '../accounts/until-written.ts'
import type { BoundaryNeeds } from './apply-boundary.ts'
import { applyBoundary } from './apply-boundary.ts'

/** What commands need. */
export interface DueFirstNeeds extends BoundaryNeeds {
  readonly clock: BelievedClock
  readonly boundaries: Boundaries
  readonly measuring: Pick<Measuring, 'watermark'>
  /** How long a command waits for what is due before it; absent: the limits say. */
  readonly patienceMs?: number
}

/**
 * Tries a command until it is written. What is due before it on its customer's accounts (expiries,
 * ends of cycles and months) is applied first, each at its own time. So the balance that a command
 * answers follows from the one that was read before it, and ledgers stay in the order of time.
 *
 * Here, as in sweeps, a boundary waits for the watermark. Applied sooner, usage that was received
 * before it and is not measured yet would miss the credits that belong to it, and whether a command
 * happened to come would decide what the usage is charged [guarantees#determinism]. So the command
 * waits until everything received before the boundary is measured, usually for less than a second.
 * Where that takes longer it is refused with 503, and nothing has changed. It also waits where
 * something is due only because a process with a faster clock has committed before it.
 * [subscriptions#the-time-of-a-command, machines#boundaries]
 */
export function dueFirst<T>(
  desk: DueFirstNeeds,
  operation: Operation,
  once: () => Promise<T | typeof lost | Due>,
): Promise<T> {
  return untilWritten<T>(desk, operation, async () => {
    let deadline: number | null = null
    for (;;) {
      const tried = await once()
      if (!(tried instanceof Due)) return tried
      if (await applyNext(desk, tried.customer)) deadline = null
      else if (deadline !== null) await waited(deadline)
      // Tries again at once, since another process may have applied it.
      else deadline = performance.now() + (desk.patienceMs ?? limits.dueFirstMs)
    }
  })
}

/**
 * Applies the customer's first boundary. False: none is due by this clock, or it is not measured up
 * to there, or a void from before it is still to be folded.
 */
async function applyNext(desk: DueFirstNeeds, customer: CustomerKey): Promise<boolean> {
  const [next] = await desk.boundaries.due(desk.clock.now(), customer, 1)
  if (next === undefined || next.waits) return false
  if (!(await isMeasured(desk, customer, next))) return false
  await applyBoundary(desk, next)
  return true
}

async function waited(deadline: number): Promise<void> {
  if (performance.now() >= deadline) {
    throw new Fault('UNAVAILABLE', 'What is due before this is still being applied; try again.', {
      retryAfterSeconds: 1,
    })
  }
  await pauseFor(20)
}

/**
 * Whether both the watermark and the believed time have passed the boundary. [guarantees#clocks]
 */
async function isMeasured(
  { businesses, measuring, clock }: DueFirstNeeds,
  customer: CustomerKey,
  { at }: Boundary,
): Promise<boolean> {
  const watermark = await measuring.watermark()
  if (watermark === null) return false
  const reached = earlierOf(watermark, clock.believed())
  return after(reached, await businesses.clockAhead(customer)) >= at
}
