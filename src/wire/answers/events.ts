import type { clockView } from '../clock.ts'
import type { EventView } from '../event.ts'
import type {
  EntryExplanationView,
  EventExplanationView,
  GrantExplanationView,
} from '../explanation.ts'
import { ours } from '../schemas.ts'
import type { UsageEventIngestResponse } from '../usage-event.ts'
import {
  anyObject,
  choiceField,
  decimalField,
  listField,
  named,
  orNull,
  shape,
  shapeWith,
  textField,
  textOrNull,
  timeField,
  wholeField,
} from './shape.ts'

export const ingestedAnswer = named(
  'Ingested',
  shape<UsageEventIngestResponse>({ ingested_count: wholeField }),
)

export const eventAnswer = named(
  'UsageEvent',
  shapeWith<EventView, 'voided_at' | 'void_reason' | 'void_status'>(
    {
      business_id: textField,
      customer_id: textField,
      event_id: textField,
      event_name: textField,
      timestamp: timeField,
      metadata: orNull(anyObject),
      voided_at: ours(timeField),
      void_reason: ours(textField),
      void_status: ours(choiceField(['pending', 'done'])),
    },
    ['voided_at', 'void_reason', 'void_status'],
  ),
)

export const clockAnswer = named(
  'TestClock',
  shape<ReturnType<typeof clockView>>({ now: timeField }),
)

type Meter = EventExplanationView['meters'][number]

export const eventExplanationAnswer = named(
  'EventExplanation',
  shape<EventExplanationView>({
    explains: { const: 'event' },
    times: textField,
    event: { $ref: '#/components/schemas/UsageEvent' },
    received: anyObject,
    stored: anyObject,
    verdict: shape<EventExplanationView['verdict']>({ outcome: textField, sentence: textField }),
    copies: listField(anyObject),
    customer: orNull(
      shape<NonNullable<EventExplanationView['customer']>>({
        customer_id: textField,
        name: textField,
      }),
    ),
    meters: listField(
      shape<Meter>({
        meter_id: textField,
        name: textField,
        aggregation: anyObject,
        outcome: textField,
        sentence: textField,
        failed_clauses: listField(anyObject),
        quantity: { ...decimalField, type: ['string', 'null'] },
        routing: orNull(anyObject),
        effects: listField(anyObject),
      }),
    ),
    why_nothing: textOrNull,
    summary: listField(textField),
  }),
)

const entryExplanation = shape<EntryExplanationView>({
  explains: { const: 'ledger_entry' },
  times: textField,
  entry: { $ref: '#/components/schemas/CreditLedgerEntry' },
  balance_id: textField,
  number: wholeField,
  rule: anyObject,
  inputs: {},
  arithmetic: {},
  worth: orNull(anyObject),
  cause: anyObject,
  grant: orNull({ $ref: '#/components/schemas/CreditGrant' }),
  webhooks: anyObject,
  summary: listField(textField),
})

const grantExplanation = shape<GrantExplanationView>({
  explains: { const: 'credit_grant' },
  times: textField,
  grant: { $ref: '#/components/schemas/CreditGrant' },
  balance_id: textField,
  number: wholeField,
  rolled_into: {},
  rule: anyObject,
  inputs: {},
  entries: anyObject,
  arithmetic: {},
  summary: listField(textField),
})

export const ledgerExplanationAnswer = named('LedgerExplanation', {
  oneOf: [entryExplanation, grantExplanation],
})
