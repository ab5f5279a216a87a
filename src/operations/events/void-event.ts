import { Fault } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Void, VoidOutcome, Voids } from '../../parts/store/voids.ts'
import { eventNameText } from '../../parts/store/voids.ts'
import type { Owner } from '../../rules/archive/line.ts'
import { verdicts } from '../../rules/archive/line.ts'
import type { UsageDelta } from '../../rules/meter/usage-delta.ts'
import type { UsageEvent } from '../../rules/meter/usage-event.ts'
import { catalogVersionIn, lateForVoid, measuredInto } from '../../rules/meter/void.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import { after, formatInstant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import { eventNotFound } from './event-not-found.ts'
import type { FoundEvent, ReadEventNeeds } from './read-event.ts'
import { readEvent } from './read-event.ts'
import { isUnmeasured, measuredUpTo } from './unmeasured.ts'

export interface VoidEventNeeds extends ReadEventNeeds, Tries {
  readonly voids: Voids
  readonly businesses: Pick<Businesses, 'clockAhead'>
  readonly clock: Clock
}

export interface VoidRequest {
  readonly owner: Owner
  readonly eventId: string
  readonly reason: string
}

/** An event and its void. */
export interface VoidedEvent {
  readonly event: UsageEvent
  readonly voided: Void
}

/**
 * Takes a measured event back out of usage, once, under the catalog that it was measured under;
 * settling does the rest. Counts and sums are lower at once; a maximum or last value changes when
 * its hour has been folded again, and the void is pending until then. Does not rebase, since it is
 * no command on the account.
 *
 * Refuses: 404 there is no such event; 409 it is not measured yet (try again), was voided before,
 * or its cycle ended more than an hour ago. [resources#routes-of-ours, events#voids]
 */
export async function voidEvent(needs: VoidEventNeeds, request: VoidRequest): Promise<VoidedEvent> {
  const { owner } = request
  const found = await measuredEvent(needs, request)
  const { event } = found
  await refuseSecond(needs.voids, owner, event)
  const usage = await undoable(needs.voids, owner, found)
  const outcome = await untilWritten(needs, 'void', () => tryVoid(needs, request, { found, usage }))
  if (outcome === 'sealed') throw cannotUndo()
  const stored = (await needs.voids.find(owner, [event])).get(eventNameText(event))
  if (stored === undefined) throw new Error('A void that was recorded is not there.')
  if (outcome === 'known') throw voidedBefore(stored)
  return { event, voided: stored }
}

/**
 * Happens at the business's time of the decision, and only if its clock has not moved since.
 * [subscriptions#the-time-of-a-command]
 */
async function tryVoid(
  { voids, businesses, clock }: VoidEventNeeds,
  { owner, reason }: VoidRequest,
  of: { readonly found: FoundEvent; readonly usage: readonly UsageDelta[] },
): Promise<VoidOutcome | typeof lost> {
  const { event, receivedAt } = of.found
  const { usage } = of
  const clockAhead = await businesses.clockAhead(owner)
  const at = after(clock.now(), clockAhead)
  await refuseLate(voids, { owner, at }, usage)
  const { eventId, timestamp, customerId } = event
  const voiding = { eventId, timestamp, customerId, reason, at, clockAhead, receivedAt, usage }
  const outcome = await voids.record(owner, voiding)
  return outcome === 'moved' ? lost : outcome
}

/** The event; throws where it is unknown, or not measured yet. */
async function measuredEvent(
  needs: VoidEventNeeds,
  { owner, eventId }: VoidRequest,
): Promise<FoundEvent> {
  // Read before the event is looked for, so that an event that is measured meanwhile is found in
  // one place or the other.
  const from = await measuredUpTo(needs, owner, eventId)
  const found = await readEvent(needs, owner, eventId)
  if (found !== null) return found
  if (await isUnmeasured(needs, owner, { eventId, from })) {
    throw new Fault('EVENT_NOT_MEASURED', 'This event is not measured yet; try again.', {
      retryAfterSeconds: 1,
    })
  }
  // It may have been measured, archived and trimmed from the log since the first look.
  const again = await readEvent(needs, owner, eventId)
  if (again === null) throw eventNotFound(eventId, needs.eventRetention)
  return again
}

async function refuseSecond(voids: Voids, owner: Owner, event: UsageEvent): Promise<void> {
  const known = (await voids.find(owner, [event])).get(eventNameText(event))
  if (known !== undefined) throw voidedBefore(known)
}

/** The rows into which the event was measured, each with what the event added. */
async function undoable(
  voids: Voids,
  owner: Owner,
  { event, verdict, receivedAt, line, catalogs, routeMark }: FoundEvent,
): Promise<readonly UsageDelta[]> {
  if (verdict !== verdicts.billed) return []
  const catalog = catalogVersionIn(catalogs, owner)
  if (catalog === null) throw cannotUndo()
  const { customerId, eventName } = event
  const under = await voids.under({ ...owner, customerId, eventName }, { catalog, routeMark })
  const usage = measuredInto({ ...owner, lines: [line], receivedAt }, under)
  // It was billed, so some row has it: where none is found nothing may be touched.
  if (usage.length === 0) throw cannotUndo()
  return usage
}

async function refuseLate(
  voids: Voids,
  { owner, at }: { readonly owner: Owner; readonly at: Instant },
  usage: readonly UsageDelta[],
): Promise<void> {
  const routeIds = [...new Set(usage.map(({ routeId }) => routeId))]
  const stretches = await voids.stretches(owner, routeIds)
  const late = lateForVoid(usage, (routeId) => stretches.get(routeId) ?? [], at)
  if (late !== null) throw new Fault('EVENT_VOID_TOO_LATE', late)
}

const voidedBefore = ({ at }: Void): Fault =>
  new Fault('EVENT_ALREADY_VOIDED', `This event was voided before, at ${formatInstant(at)}.`)

const cannotUndo = (): Fault =>
  new Fault(
    'EVENT_VOID_TOO_LATE',
    'The usage of this event is sealed: what it was measured into is not kept any more.',
  )
