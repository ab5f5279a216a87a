import { limits } from '../limits.ts'
import type { Metadata } from '../rules/meter/usage-event.ts'
import { schema } from '../std/schema.ts'

/** A usage event as its sender writes it. [resources#usage-events, events#accepted] */
export interface EventInput {
  readonly event_id: string
  readonly customer_id: string
  readonly event_name: string
  /** RFC 3339; absent or null means the time of receipt. */
  readonly timestamp?: string | null
  readonly metadata?: Metadata | null
}

/** [resources#usage-events] */
export interface UsageEventIngestParams {
  readonly events: readonly EventInput[]
}

/** [resources#usage-events] */
export interface UsageEventIngestResponse {
  readonly ingested_count: number
}

/** How many events are new; the others were ingested before. */
export const usageEventIngestResponse = (count: number): UsageEventIngestResponse => ({
  ingested_count: count,
})

const text = { type: 'string', minLength: 1, maxLength: limits.eventTextMax }

/**
 * What a schema can check of an ingest. The form of timestamps, and the depth and lengths inside of
 * metadata, are checked by the edge in one pass.
 */
export const usageEventIngestParams = schema<UsageEventIngestParams>({
  type: 'object',
  required: ['events'],
  properties: {
    events: {
      type: 'array',
      minItems: 1,
      maxItems: limits.eventsPerRequestMax,
      items: {
        type: 'object',
        required: ['event_id', 'customer_id', 'event_name'],
        properties: {
          event_id: text,
          customer_id: text,
          event_name: text,
          timestamp: { type: ['string', 'null'] },
          metadata: { type: ['object', 'null'], maxProperties: limits.metadataKeysMax },
        },
      },
    },
  },
})
