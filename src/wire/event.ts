import type { UsageEvent } from '../rules/meter/usage-event.ts'
import { formatInstant } from '../std/instant.ts'

/** A usage event as reads answer it. [contract B.17] */
export interface EventView {
  readonly business_id: string
  readonly customer_id: string
  readonly event_id: string
  readonly event_name: string
  /** UTC with microseconds. [ruling 13] */
  readonly timestamp: string
  /** As it was sent; null where it was not. */
  readonly metadata: Readonly<Record<string, unknown>> | null
}

export function eventView(businessId: string, event: UsageEvent): EventView {
  return {
    business_id: businessId,
    customer_id: event.customerId,
    event_id: event.eventId,
    event_name: event.eventName,
    timestamp: formatInstant(event.timestamp),
    metadata: event.metadata,
  }
}

/** The query of `GET /events` besides the page; all conditions hold together. [contract C.5] */
export const eventQueryNames = ['customer_id', 'event_name', 'meter_id', 'start', 'end'] as const

/** How far reads of events are: log time up to which every measured event is in the answer. */
export const archivedToHeader = 'Sluice-Archived-To'
