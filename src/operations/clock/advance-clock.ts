import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Boundaries } from '../../parts/store/boundaries.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Measuring } from '../../parts/store/measuring.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { pauseFor } from '../../runtime/pause.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after, formatInstant, laterOf } from '../../std/instant.ts'
import type { IsoDuration } from '../../std/iso-duration.ts'
import { addIsoDuration, isoDurationProblem, parseIsoDuration } from '../../std/iso-duration.ts'
import { inTurn } from '../accounts/turns.ts'
import { applyBoundary } from '../boundaries/apply-boundary.ts'
import type { CycleNeeds } from '../boundaries/end-cycle.ts'

export interface ClockNeeds extends CycleNeeds {
  readonly boundaries: Boundaries
  readonly businesses: Pick<Businesses, 'clockAhead' | 'setClockAhead'>
  readonly measuring: Pick<Measuring, 'watermark'>
}

/**
 * Moves a business's test clock forward. Everything that falls due on the way happens at its own
 * time and in order before it answers with the business's new time. Refuses live mode, a duration
 * that cannot be read, and one beyond the bound (422); 503 while usage received before is not
 * measured.
 */
export async function advanceClock(needs: ClockNeeds, scope: Scope, by: string): Promise<Instant> {
  if (scope.mode !== 'test') {
    throw new Fault('UNSUPPORTED_ACTION', 'Only the clock of test mode can be advanced.')
  }
  const duration = parseIsoDuration(by)
  if (duration === null) throw new Fault('INVALID_REQUEST_BODY', `by ${isoDurationProblem}`)
  // One after the other, in this process: each goes on from where the one before it has come.
  return inTurn([`clock ${scope.businessId}`], () => advanceBy(needs, scope, duration))
}

async function advanceBy(needs: ClockNeeds, scope: Scope, duration: IsoDuration): Promise<Instant> {
  await measuredUpToNow(needs)
  const start = needs.clock.now()
  const before = after(start, await needs.businesses.clockAhead(scope))
  const target = addIsoDuration(before, duration)
  if (target - start > limits.clockAheadMax) {
    throw new Fault(
      'INVALID_REQUEST_BODY',
      `by is too long: the clock can run ahead of real time to ${formatInstant(after(start, limits.clockAheadMax))} at most.`,
    )
  }
  await runTo(needs, scope, target)
  await setTo(needs, scope, target)
  return target
}

/** Boundary after boundary, the clock standing at each while it is applied. */
async function runTo(needs: ClockNeeds, scope: Scope, target: Instant): Promise<void> {
  for (let rounds = 0; rounds < boundariesMax; rounds += 1) {
    const ahead = await needs.businesses.clockAhead(scope)
    const [next] = await needs.boundaries.due(after(target, -ahead), scope, 1)
    if (next === undefined) return
    await setTo(needs, scope, next.at)
    await applyBoundary(needs, next)
  }
  throw new Fault('UNAVAILABLE', 'More falls due on the way than one step can do: advance again.', {
    retryAfterSeconds: 1,
  })
}

const boundariesMax = 100_000

/** The clock only ever moves forward. */
async function setTo(needs: ClockNeeds, scope: Scope, to: Instant): Promise<void> {
  const now = needs.clock.now()
  const ahead: Duration = to - now
  if (ahead > (await needs.businesses.clockAhead(scope))) {
    await needs.businesses.setClockAhead(scope, ahead)
  }
}

/** Usage received before belongs before: boundaries wait for it. */
async function measuredUpToNow({ measuring, clock }: ClockNeeds): Promise<void> {
  const from = clock.now()
  const deadline = performance.now() + limits.sluiceAfterMs
  for (;;) {
    const watermark = await measuring.watermark()
    if (watermark !== null && laterOf(watermark, from) === watermark) return
    if (performance.now() > deadline) {
      throw new Fault('UNAVAILABLE', 'Usage received before is not measured yet; try again.', {
        retryAfterSeconds: 1,
      })
    }
    await pauseFor(20)
  }
}
