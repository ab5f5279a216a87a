import type { Instant } from '../../std/instant.ts'
import type { EventPlace } from '../meter/place.ts'
import { businessTime, inMachineTime } from './clocks.ts'
import type { CopyOfEvent, JudgedCopy, Verdict } from './copies.ts'
import type { EffectFacts, ExplainedEffect } from './effect.ts'
import { explainEffect } from './effect.ts'
import type { MeterOutcome } from './meter-outcome.ts'
import type { RouteChoices } from './route-choice.ts'

/** A meter of the event's name, and what it did with the event. */
export interface MeterFacts {
  readonly meterId: string
  readonly name: string
  readonly aggregation: { readonly type: string; readonly key: string | null }
  readonly outcome: MeterOutcome
  /** Present for a meter that matched. */
  readonly routing: RouteChoices | null
  /** One for each route that took the event. */
  readonly effects: readonly EffectFacts[]
}

/** When (the business's time) and why an event was voided. */
export interface VoidedAt {
  readonly at: Instant
  readonly reason: string
  /** True while usage still holds the event, until its hour is folded again. */
  readonly pending: boolean
}

export interface EventFacts {
  /** Copies in order of receipt; at least one. */
  readonly copies: readonly JudgedCopy[]
  readonly copy: JudgedCopy
  /** Null: the customer no longer exists. */
  readonly customer: { readonly customerId: string; readonly name: string } | null
  /** Null: the event was not voided. */
  readonly voided: VoidedAt | null
  /** Every meter of the event's name; none for an event that measuring has not judged. */
  readonly meters: readonly MeterFacts[]
}

export interface ExplainedMeter extends Omit<MeterFacts, 'effects'> {
  readonly effects: readonly ExplainedEffect[]
}

export interface EventExplanation {
  readonly event: CopyOfEvent['event']
  readonly place: EventPlace
  readonly stored: CopyOfEvent['stored']
  readonly outcome: Verdict
  readonly verdict: string
  readonly copies: readonly JudgedCopy[]
  readonly customer: EventFacts['customer']
  readonly voided: VoidedAt | null
  readonly meters: readonly ExplainedMeter[]
  /** Why the event did nothing; null for one that counted. */
  readonly whyNothing: string | null
  readonly summary: readonly string[]
}

/** The way of an event from receipt to webhooks, and for an event that did nothing, why. */
export function explainEvent(facts: EventFacts): EventExplanation {
  const { copy, copies, customer, voided } = facts
  const { event, place, stored, outcome } = copy
  const meters = facts.meters.map((meter) => ({
    ...meter,
    effects: meter.effects.map(explainEffect),
  }))
  const whyNothing = whyNothingOf(facts)
  const again = copies.length === 1 ? [] : [`The log was given ${copies.length} copies of this id.`]
  return {
    event,
    place,
    stored,
    outcome,
    verdict: copy.sentence,
    copies,
    customer,
    voided,
    meters,
    whyNothing,
    summary: [
      `Event ${event.eventId} '${event.eventName}' of customer ${event.customerId}${customer === null ? ', who is not there' : ''}, timestamp ${businessTime(event.timestamp)}.`,
      `Received at ${inMachineTime(place.receivedAt)}: partition ${place.partition}, offset ${place.offset}, event ${place.index} of its record. Stored in the ${storedText(stored)}.`,
      copy.sentence,
      ...again,
      ...(voided === null ? [] : [voidText(voided)]),
      ...meters.flatMap(meterText),
      ...(whyNothing === null ? [] : [whyNothing]),
    ],
  }
}

const storedText = ({ in: where, blockId }: CopyOfEvent['stored']): string =>
  where === 'log' ? 'event log, not archived yet' : `archive, block ${blockId}`

const voidText = ({ at, reason, pending }: VoidedAt): string =>
  `It was voided at ${businessTime(at)} (“${reason}”): ${pending ? 'it counts until its hour has been folded again' : 'it counts no more'}.`

function meterText(meter: ExplainedMeter): readonly string[] {
  const { meterId, name, aggregation, outcome, routing, effects } = meter
  const key = aggregation.key === null ? '' : ` of '${aggregation.key}'`
  const head = `Meter ${meterId} '${name}' (${aggregation.type}${key}): ${outcome.sentence}`
  const route = routing === null ? [] : [`  ${routing.sentence}`]
  return [head, ...route, ...effects.flatMap(({ summary }) => summary.map((line) => `  ${line}`))]
}

function whyNothingOf({ copy, meters }: EventFacts): string | null {
  switch (copy.outcome) {
    case 'counted':
      return null
    case 'waiting':
      return 'It did nothing yet: it waits to be measured.'
    case 'repeat':
      return 'It did nothing: the first copy of its id is the one that counts.'
    case 'matched_nothing':
      return `It did nothing. ${unmatchedText(copy.event.eventName, meters)}`
  }
}

function unmatchedText(eventName: string, meters: readonly MeterFacts[]): string {
  if (meters.length === 0) {
    return `No meter is for the event name '${eventName}' (names are compared letter by letter).`
  }
  const matched = meters.filter(({ outcome }) => outcome.kind === 'matched')
  if (matched.length === 0) return 'No meter of its name matched it, for the reasons above.'
  return 'A meter matched it, but nobody took its usage, for the reasons above; what is linked or subscribed later does not act on what is measured already.'
}
