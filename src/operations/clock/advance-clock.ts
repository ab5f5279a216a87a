import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Boundaries } from '../../parts/store/boundaries.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Measuring } from '../../parts/store/measuring.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Voids } from '../../parts/store/voids.ts'
import { pauseFor } from '../../runtime/pause.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after, formatInstant, laterOf } from '../../std/instant.ts'
import type { IsoDuration } from '../../std/iso-duration.ts'
import { addIsoDuration, isoDurationProblem, parseIsoDuration } from '../../std/iso-duration.ts'
import { inTurn } from '../accounts/in-turn.ts'
import type { BoundaryNeeds } from '../boundaries/apply-boundary.ts'
import { applyBoundary } from '../boundaries/apply-boundary.ts'

export interface ClockNeeds extends BoundaryNeeds {
  readonly boundaries: Boundaries
  readonly businesses: Pick<Businesses, 'clockAhead' | 'moveClock'>
  readonly measuring: Pick<Measuring, 'watermark'>
  readonly voids: Pick<Voids, 'areFolding'>
}

/**
 * Moves a business's test clock forward, and answers the business's new time. Whatever falls due on
 * the way is applied at its own time, and in order, before the answer. Refuses live mode, a
 * duration that cannot be read, and one above the bound (422); 503 while usage that was received
 * before is not measured, or an event that was voided before still counts.
 */
export async function advanceClock(needs: ClockNeeds, scope: Scope, by: string): Promise<Instant> {
  if (scope.mode !== 'test') {
    throw new Fault('UNSUPPORTED_ACTION', 'Only the clock of test mode can be advanced.')
  }
  const duration = parseIsoDuration(by)
  if (duration === null) throw new Fault('INVALID_REQUEST_BODY', `by ${isoDurationProblem}`)
  // One after the other in this process, so that each goes on from the end of the one before it.
  return inTurn([`clock ${scope.businessId}`], () => advanceBy(needs, scope, duration))
}

async function advanceBy(needs: ClockNeeds, scope: Scope, duration: IsoDuration): Promise<Instant> {
  await measuredUpToNow(needs)
  await foldedAgain(needs, scope)
  const ahead = await needs.businesses.clockAhead(scope)
  const start = needs.clock.now()
  const way = { scope, ahead, target: addIsoDuration(after(start, ahead), duration) }
  refuseTooFar(way, start)
  for (let rounds = 0; rounds < roundsMax; rounds += 1) {
    const [next] = await needs.boundaries.due(after(way.target, -way.ahead), scope, 1)
    // A void that came meanwhile; nothing behind it comes first.
    if (next?.waits === true) {
      await foldedAgain(needs, scope)
      continue
    }
    // Goes from boundary to boundary; the clock stands at each one while it is applied.
    if (!(await setTo(needs, way, next?.at ?? way.target))) continue
    if (next === undefined) return way.target
    await applyBoundary(needs, next)
  }
  throw new Fault('UNAVAILABLE', 'More falls due on the way than one step can do: advance again.', {
    retryAfterSeconds: 1,
  })
}

const roundsMax = 100_000

function refuseTooFar({ target }: Way, now: Instant): void {
  if (target - now <= limits.clockAheadMax) return
  throw new Fault(
    'INVALID_REQUEST_BODY',
    `by is too long: the clock can run ahead of real time to ${formatInstant(after(now, limits.clockAheadMax))} at most.`,
  )
}

/** How far an advance has come, and where it goes. */
interface Way {
  readonly scope: Scope
  ahead: Duration
  target: Instant
}

/**
 * Sets the clock, which only ever moves forward. False: another process has moved it meanwhile.
 * Then the target moves on as much, so that both advances count, and what falls due is looked up
 * again.
 */
async function setTo(needs: ClockNeeds, way: Way, to: Instant): Promise<boolean> {
  const { businesses, clock } = needs
  const { scope, ahead: from } = way
  const ahead = Math.round(to - clock.now())
  if (ahead <= way.ahead) return true
  if (await businesses.moveClock(scope, { from, to: ahead })) {
    way.ahead = ahead
    return true
  }
  way.ahead = await businesses.clockAhead(scope)
  way.target = after(way.target, way.ahead - from)
  refuseTooFar(way, clock.now())
  return false
}

/** Usage that was received before the advance belongs before it, so boundaries wait for it. */
function measuredUpToNow({ measuring, clock }: ClockNeeds): Promise<void> {
  const from = clock.now()
  return eventually('Usage received before is not measured yet; try again.', async () => {
    const watermark = await measuring.watermark()
    return watermark !== null && laterOf(watermark, from) === watermark
  })
}

/**
 * So do voids, which maxima and last values show only when they are folded again: past the end of
 * its cycle a void gives no credits back any more.
 */
function foldedAgain({ voids }: ClockNeeds, scope: Scope): Promise<void> {
  const message = 'An event that was voided before still counts; try again.'
  return eventually(message, async () => !(await voids.areFolding(scope)))
}

/** 503 with the message when it takes longer than 5 s. */
async function eventually(message: string, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limits.sluiceAfterMs
  while (!(await isDone())) {
    if (performance.now() > deadline) {
      throw new Fault('UNAVAILABLE', message, { retryAfterSeconds: 1 })
    }
    await pauseFor(20)
  }
}
