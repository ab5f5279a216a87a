import { limits } from '../limits.ts'
import type { UsageEvent } from '../rules/meter/usage-event.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { text } from './schemas.ts'

/** A usage event as reads answer it. [resources#usage-events] */
export interface EventView {
  readonly business_id: string
  readonly customer_id: string
  readonly event_id: string
  readonly event_name: string
  /** UTC with microseconds. [events#times] */
  readonly timestamp: string
  /** The metadata as it was sent; null where none was. */
  readonly metadata: Readonly<Record<string, unknown>> | null
  /**
   * Ours, and present only where the event was voided: all other events are as the contract has
   * them.
   */
  readonly voided_at?: string
  readonly void_reason?: string
  /** `pending` while a maximum or last value still holds the event. */
  readonly void_status?: 'pending' | 'done'
}

/** What a view needs to know of a void. */
interface VoidOf {
  readonly at: Instant
  readonly reason: string
  readonly pending: boolean
}

export function eventView(
  businessId: string,
  event: UsageEvent,
  voided: VoidOf | null = null,
): EventView {
  return {
    business_id: businessId,
    customer_id: event.customerId,
    event_id: event.eventId,
    event_name: event.eventName,
    timestamp: formatInstant(event.timestamp),
    metadata: event.metadata,
    ...(voided === null ? {} : voidView(voided)),
  }
}

const voidView = ({ at, reason, pending }: VoidOf) =>
  ({
    voided_at: formatInstant(at),
    void_reason: reason,
    void_status: pending ? 'pending' : 'done',
  }) as const

/**
 * `POST /events/{event_id}/void`: why the event must no longer count. [resources#routes-of-ours]
 */
export interface EventVoid {
  readonly reason: string
}

export const eventVoid = schema<EventVoid>({
  type: 'object',
  required: ['reason'],
  properties: { reason: text(1, limits.descriptionMax) },
})

/**
 * How complete a list of events is: every event that was received up to this moment is in it, or
 * waits to be measured. In the business's time, like the timestamps of the events.
 */
export const archivedToHeader = 'Sluice-Archived-To'
