import { limits } from '../limits.ts'
import type { GrantOfAccount, ToldAttempt } from '../rules/explain/account-records.ts'
import type { JudgedCopy } from '../rules/explain/copies.ts'
import type { ExplainedEffect } from '../rules/explain/effect.ts'
import type { EntryCause, EntryExplanation } from '../rules/explain/entry.ts'
import type { EventExplanation, ExplainedMeter } from '../rules/explain/event.ts'
import type { GrantExplanation } from '../rules/explain/grant.ts'
import type { ExplainedTelling } from '../rules/explain/telling.ts'
import type { WorthStep } from '../rules/explain/worth-words.ts'
import type { EventPlace } from '../rules/meter/place.ts'
import { formatDecimal } from '../std/decimal.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'
import { inputsView } from './cause-inputs.ts'
import { creditGrant } from './credit-grant.ts'
import { toCreditLedgerEntry } from './credit-ledger-entry.ts'
import { eventView } from './event.ts'

/** What `GET /events/{event_id}/explanation` answers. [resources#routes-of-ours] */
export type EventExplanationView = ReturnType<typeof eventExplanationView>

/** What `GET /credit-ledger-entries/{id}/explanation` answers for an entry, and for a grant. */
export type EntryExplanationView = ReturnType<typeof entryExplanationView>
export type GrantExplanationView = ReturnType<typeof grantExplanationView>

export function eventExplanationView(businessId: string, explained: EventExplanation) {
  const { event, place, stored, customer, voided } = explained
  return {
    explains: 'event',
    times,
    event: eventView(businessId, event, voided),
    received: placeView(place),
    stored: { in: stored.in, block_id: stored.blockId },
    verdict: { outcome: explained.outcome, sentence: explained.verdict },
    copies: explained.copies.map(copyView),
    customer: customer === null ? null : { customer_id: customer.customerId, name: customer.name },
    meters: explained.meters.map(meterView),
    why_nothing: explained.whyNothing,
    summary: explained.summary,
  } as const
}

export function entryExplanationView(explained: EntryExplanation, at: Instant) {
  const { entry, rule, arithmetic, cause, grant, worth, telling, summary } = explained
  return {
    explains: 'ledger_entry',
    times,
    entry: toCreditLedgerEntry(entry),
    balance_id: entry.accountId,
    number: entry.number,
    rule,
    inputs: inputsView(entry.inputs),
    arithmetic,
    worth:
      worth === null
        ? null
        : { before: worth.before.map(stepView), after: worth.after.map(stepView) },
    cause: causeView(cause),
    grant: grant === null ? null : grantView(grant, at),
    webhooks: tellingView(telling),
    summary,
  } as const
}

export function grantExplanationView(explained: GrantExplanation, at: Instant) {
  const { grant, rule, inputs, movements, count, arithmetic, summary } = explained
  return {
    explains: 'credit_grant',
    times,
    grant: grantView(grant, at),
    balance_id: grant.accountId,
    number: grant.number,
    rolled_into: grant.rolledInto,
    rule,
    inputs: inputsView(inputs),
    entries: {
      count,
      items: movements.map((movement) => ({
        entry: toCreditLedgerEntry(movement.entry),
        number: movement.entry.number,
        rule: movement.rule.name,
        remaining: movement.remaining,
      })),
    },
    arithmetic,
    summary,
  } as const
}

const times =
  'Machine time: received, next_attempt_at and the at of attempts. Business time, which a test clock moves: all others.'

const grantView = (grant: GrantOfAccount, at: Instant) => creditGrant(grant, { ...grant, at })

const placeView = ({ receivedAt, partition, offset, index }: EventPlace) => ({
  at: formatInstant(receivedAt),
  partition,
  offset,
  index,
})

const copyView = ({ place, stored, outcome, sentence }: JudgedCopy) => ({
  received: placeView(place),
  stored: { in: stored.in, block_id: stored.blockId },
  outcome,
  sentence,
})

function meterView({ meterId, name, aggregation, outcome, routing, effects }: ExplainedMeter) {
  return {
    meter_id: meterId,
    name,
    aggregation,
    outcome: outcome.kind,
    sentence: outcome.sentence,
    failed_clauses: outcome.kind === 'filtered_out' ? outcome.failed : [],
    quantity:
      outcome.kind === 'matched' ? formatDecimal(outcome.quantity, limits.usageScale) : null,
    routing:
      routing === null
        ? null
        : {
            sentence: routing.sentence,
            candidates: routing.choices.map((choice) => ({
              type: choice.kind,
              id: choice.routeId,
              credit_entitlement_id: choice.entitlementId,
              taken: choice.taken,
              sentence: choice.sentence,
            })),
          },
    effects: effects.map(effectView),
  }
}

function effectView(effect: ExplainedEffect) {
  const { cycle, segment, terms, usage, credits, settling } = effect
  return {
    route: { type: effect.kind, id: effect.routeId },
    credit_entitlement_id: effect.entitlementId,
    cycle: spanView(cycle),
    segment: spanView(segment),
    terms: {
      meter_units_per_credit: terms.unitsPerCredit,
      free_threshold: terms.freeThreshold,
      price_per_unit: terms.pricePerUnit,
      precision: terms.precision,
    },
    usage: {
      before: usage.before,
      after: usage.after,
      events_before: usage.eventsBefore,
      is_complete: usage.complete,
      agrees_with_books: usage.agrees,
    },
    credits:
      credits === null
        ? null
        : {
            before: credits.before,
            after: credits.after,
            change: credits.change,
            worth_before: credits.stepsBefore.map(stepView),
            worth_after: credits.stepsAfter.map(stepView),
          },
    settling: {
      state: settling.state,
      sentence: settling.sentence,
      balance_id: settling.accountId,
      entries: settling.entries.map(({ entry, sentence, telling }) => ({
        entry: toCreditLedgerEntry(entry),
        number: entry.number,
        sentence,
        webhooks: tellingView(telling),
      })),
    },
  }
}

const spanView = ({ start, end }: { readonly start: Instant; readonly end: Instant }) => ({
  start: formatInstant(start),
  end: formatInstant(end),
})

const stepView = (step: WorthStep) => ({
  segment_start: formatInstant(step.segmentAt),
  meter_units_per_credit: step.unitsPerCredit,
  free_threshold: step.freeThreshold,
  usage_before: step.usageBefore,
  usage_after: step.usageAfter,
  worth: step.worth,
  formula: step.sentence,
})

function causeView(cause: EntryCause) {
  if (cause.kind !== 'events') return { ...noEvents, type: cause.kind, sentence: cause.sentence }
  return {
    type: cause.kind,
    sentence: cause.sentence,
    meter_id: cause.meterId,
    route_id: cause.routeId,
    entry_ids: cause.entryIds,
    events: {
      count: cause.count,
      is_complete: cause.complete,
      items: cause.first.map(({ eventId, place, quantity }) => ({
        event_id: eventId,
        received: placeView(place),
        quantity,
      })),
    },
    taken_back: {
      count: cause.takenBack.count,
      items: cause.takenBack.first.map(({ eventId, at, reason }) => ({
        event_id: eventId,
        voided_at: formatInstant(at),
        void_reason: reason,
      })),
    },
  }
}

const noEvents = {
  meter_id: null,
  route_id: null,
  entry_ids: null,
  events: null,
  taken_back: null,
} as const

const tellingView = ({ types, waiting, deliveries, sentence }: ExplainedTelling) => ({
  types,
  waiting,
  deliveries: deliveries.map((delivery) => ({
    webhook_message_id: delivery.messageId,
    type: delivery.type,
    webhook_id: delivery.webhookId,
    outcome: delivery.outcome ?? 'pending',
    next_attempt_at: delivery.nextAt === null ? null : formatInstant(delivery.nextAt),
    attempts: delivery.attempts.map(attemptView),
  })),
  sentence,
})

const attemptView = (attempt: ToldAttempt) => ({
  at: formatInstant(attempt.at),
  error: attempt.error,
  number: attempt.number,
  status: attempt.status,
  duration_ms: attempt.durationMs,
})
