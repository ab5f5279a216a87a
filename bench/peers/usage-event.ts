import { limits } from '../../src/limits.ts'

/** A usage event as a peer sees it. */
export interface PeerEvent {
  readonly event_id: string
  readonly customer_id: string
  readonly event_name: string
  readonly timestamp?: string | null
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null
}

export interface PeerRequest {
  readonly events: readonly PeerEvent[]
}

const text = { type: 'string', minLength: 1, maxLength: limits.eventTextMax }

/** The shape that our own edge demands, as far as a schema can say it. */
export const peerRequest = {
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
          timestamp: { type: 'string', format: 'date-time', nullable: true },
          metadata: {
            type: 'object',
            nullable: true,
            maxProperties: limits.metadataKeysMax,
            propertyNames: { maxLength: limits.metadataKeyMax },
            additionalProperties: {
              type: ['string', 'number', 'boolean'],
              maxLength: limits.metadataValueMax,
            },
          },
        },
      },
    },
  },
}

/** The schema of the answer, so that a compiled function writes it. */
export const peerReceipt = {
  200: { type: 'object', properties: { ingested_count: { type: 'integer' } } },
}
