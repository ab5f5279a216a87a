import type { Scope } from '../../parts/store/scope.ts'
import { eventNameText } from '../../parts/store/voids.ts'
import type { JudgedCopy } from '../../rules/explain/copies.ts'
import { explainedCopy, judgedCopies } from '../../rules/explain/copies.ts'
import type { EventExplanation, MeterFacts } from '../../rules/explain/event.ts'
import { explainEvent } from '../../rules/explain/event.ts'
import { outcomeOf } from '../../rules/explain/meter-outcome.ts'
import type { RouteChoices } from '../../rules/explain/route-choice.ts'
import { routeChoices } from '../../rules/explain/route-choice.ts'
import type { RoutingChange } from '../../rules/explain/routing.ts'
import { routingThroughTime } from '../../rules/explain/routing.ts'
import type { CatalogMeter } from '../../rules/meter/measure-types.ts'
import { eventNotFound } from '../events/event-not-found.ts'
import { copiesOf } from './copies.ts'
import { effectsOf } from './effects.ts'
import type { ExplainNeeds } from './ports.ts'

/**
 * Explains an event from receipt to webhooks, from what the books hold. Settles its accounts first,
 * like ledger reads. 404 for an id that never came in, or is no longer kept.
 */
export async function explainEventById(
  needs: ExplainNeeds,
  scope: Scope,
  eventId: string,
): Promise<EventExplanation> {
  const copies = judgedCopies(await copiesOf(needs, scope, eventId))
  const copy = explainedCopy(copies)
  if (copy === null) throw eventNotFound(eventId, needs.eventRetention)
  const customer = await needs.customers.get(scope, copy.event.customerId)
  const judged = copy.outcome === 'counted' || copy.outcome === 'matched_nothing'
  const meters = judged ? await metersOf(needs, scope, copy) : []
  const voided =
    (await needs.voids.find(scope, [copy.event])).get(eventNameText(copy.event)) ?? null
  return explainEvent({ copies, copy, customer, voided, meters })
}

async function metersOf(
  needs: ExplainNeeds,
  scope: Scope,
  copy: JudgedCopy,
): Promise<readonly MeterFacts[]> {
  const { event, place } = copy
  const [snapshot] = await needs.meters.catalogOf([scope])
  const named = (snapshot?.catalog.meters ?? []).filter((one) => one.eventName === event.eventName)
  const names = await needs.meters.many(
    scope,
    named.map(({ meterId }) => meterId),
  )
  const seen = { [place.partition]: place.offset + 1 }
  const routing = await needs.explanations.routing(scope, event.customerId, seen)
  const drafts = named.map((meter) => draftOf(meter, copy, routing.changes))
  const effects = await effectsOf(needs, scope, { event, place, routing, takers: takersOf(drafts) })
  return drafts.map(({ meter, outcome, routing }) => ({
    meterId: meter.meterId,
    name: names.get(meter.meterId)?.name ?? '',
    aggregation: { type: meter.aggregation, key: meter.aggregationKey },
    outcome,
    routing,
    effects: effects.get(meter.meterId) ?? [],
  }))
}

interface Draft {
  readonly meter: CatalogMeter
  readonly outcome: MeterFacts['outcome']
  readonly routing: RouteChoices | null
}

function draftOf(
  meter: CatalogMeter,
  { event, place, outcome: verdict }: JudgedCopy,
  changes: readonly RoutingChange[],
): Draft {
  const routing = routingThroughTime(changes)(place)
  const existed = routing.meterIds.has(meter.meterId)
  const outcome = outcomeOf(meter, { event, receivedAt: place.receivedAt, existed })
  if (outcome.kind !== 'matched') return { meter, outcome, routing: null }
  const { timestamp, backfilledAt } = event
  const moment = { timestamp, receivedAt: place.receivedAt, backfilledAt }
  const choices = routeChoices(meter, routing, moment)
  // The verdict is right: a route that was made at the very moment of measuring was not seen by it.
  const unseen = verdict === 'matched_nothing' && choices.targets.length > 0
  return { meter, outcome, routing: unseen ? null : choices }
}

const takersOf = (drafts: readonly Draft[]) =>
  drafts.flatMap(({ meter, routing }) =>
    (routing?.targets ?? []).map((target) => ({ meter, target })),
  )
