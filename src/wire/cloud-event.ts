import { limits } from '../limits.ts'
import type { Metadata } from '../rules/meter/usage-event.ts'
import { schema } from '../std/schema.ts'
import type { EventInput } from './usage-event.ts'

/** A CloudEvent 1.0 as far as it becomes a usage event; its other attributes are left out. */
export interface CloudEvent {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject: string
  readonly time?: string | null
  readonly data?: Metadata | null
}

const text = { type: 'string', minLength: 1, maxLength: limits.eventTextMax }

const cloudEvent = {
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'subject'],
  properties: {
    specversion: { enum: ['1.0'] },
    id: text,
    source: { type: 'string', minLength: 1 },
    type: text,
    subject: text,
    time: { type: ['string', 'null'] },
    data: { type: ['object', 'null'] },
    // Null is how some clients write what they leave out.
    data_base64: {
      not: { not: { type: 'null' } },
      description: 'must be left out: data is an object',
    },
  },
}

/** One event: the structured mode, and the binary mode once its headers are read. */
export const oneCloudEvent = schema<CloudEvent>(cloudEvent)

/** The batched mode. */
export const cloudEvents = schema<readonly CloudEvent[]>({ type: 'array', items: cloudEvent })

/** The usage event that it tells of. [events#cloudevents] */
export const eventOfCloudEvent = ({ id, subject, type, time, data }: CloudEvent): EventInput => ({
  event_id: id,
  customer_id: subject,
  event_name: type,
  ...(time == null ? {} : { timestamp: time }),
  ...(data == null ? {} : { metadata: data }),
})
