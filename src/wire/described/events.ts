import { eventAnswer, eventExplanationAnswer, ingestedAnswer } from '../answers/events.ts'
import { cloudEvents, oneCloudEvent } from '../cloud-event.ts'
import { eventVoid } from '../event.ts'
import { usageEventIngestParams } from '../usage-event.ts'
import type { Described, DescribedRoutes } from './described.ts'
import { textQuery, timeQuery } from './described.ts'

/** The binary mode: the body is then the data alone. [events#cloudevents] */
const cloudEventHeaders: Described['headers'] = {
  'ce-specversion': {
    enum: ['1.0'],
    description:
      'With it or ce-id the body is the data of one CloudEvent, whose rest is in headers.',
  },
  'ce-id': { type: 'string', description: 'The event_id.' },
  'ce-source': { type: 'string', description: 'Must be there, and is not kept.' },
  'ce-type': { type: 'string', description: 'The event_name.' },
  'ce-subject': { type: 'string', description: 'The customer_id.' },
  'ce-time': { type: 'string', description: 'The timestamp.' },
}

export const eventsDescribed: DescribedRoutes = {
  'POST /events/ingest': {
    id: 'ingestEvents',
    summary: 'Send usage events; ids that are known are counted once',
    body: {
      schema: usageEventIngestParams,
      others: {
        'application/cloudevents+json': oneCloudEvent,
        'application/cloudevents-batch+json': cloudEvents,
      },
      example: {
        events: [
          {
            event_id: 'completion-1',
            customer_id: 'cus_4hJ8fD2sK6gL0mN5bV7cX',
            event_name: 'completion',
            metadata: { tokens: 1_250, model: 'large' },
          },
        ],
      },
    },
    headers: cloudEventHeaders,
    answers: ingestedAnswer,
    refusals: ['DUPLICATE_EVENT_IDS', 'EVENT_TIMESTAMP_OUT_OF_RANGE', 'NOT_FOUND'],
  },
  'GET /events': {
    id: 'listEvents',
    summary: 'List usage events',
    query: {
      customer_id: textQuery,
      event_name: textQuery,
      meter_id: textQuery,
      start: timeQuery,
      end: timeQuery,
    },
    paged: true,
    waits: true,
    answers: { items: eventAnswer },
    refusals: ['NOT_FOUND', 'INVALID_REQUEST_PARAMETERS'],
  },
  'GET /events/:event_id': {
    id: 'getEvent',
    summary: 'Read a usage event',
    waits: true,
    answers: eventAnswer,
  },
  'GET /events/:event_id/explanation': {
    id: 'explainEvent',
    summary: 'Explain what became of a usage event',
    waits: true,
    answers: eventExplanationAnswer,
    ours: true,
  },
  'POST /events/:event_id/void': {
    id: 'voidEvent',
    summary: 'Take a measured event back out of usage',
    waits: true,
    body: { schema: eventVoid, example: { reason: 'Sent by a test' } },
    answers: eventAnswer,
    refusals: ['EVENT_NOT_MEASURED', 'EVENT_ALREADY_VOIDED', 'EVENT_VOID_TOO_LATE', 'CONFLICT'],
    ours: true,
  },
}
