import { webhookEventTypes } from '../../rules/facts/webhook-event-types.ts'
import type { HeaderRetrieveResponse, secretView, WebhookDetails } from '../webhook-endpoint.ts'
import type {
  recoveredView,
  rotatedSecretView,
  webhookAttemptView,
  webhookMessageView,
} from '../webhook-message.ts'
import {
  anyObject,
  choiceField,
  flagField,
  listField,
  named,
  shape,
  textField,
  textOrNull,
  timeField,
  timeOrNull,
  wholeField,
  wholeOrNull,
} from './shape.ts'

const texts = { type: 'object', additionalProperties: textField }

export const webhookAnswer = named(
  'Webhook',
  shape<WebhookDetails>({
    id: textField,
    url: textField,
    description: textField,
    metadata: texts,
    disabled: flagField,
    filter_types: listField(choiceField(webhookEventTypes)),
    rate_limit: wholeOrNull,
    created_at: timeField,
    updated_at: timeField,
  }),
)

export const webhookPageAnswer = named('WebhookPage', {
  type: 'object',
  required: ['data', 'done', 'iterator', 'prev_iterator'],
  properties: {
    data: listField({ $ref: '#/components/schemas/Webhook' }),
    done: flagField,
    iterator: textOrNull,
    prev_iterator: textOrNull,
  },
})

export const webhookSecretAnswer = named(
  'WebhookSecret',
  shape<ReturnType<typeof secretView>>({ secret: textField }),
)

export const webhookHeadersAnswer = named(
  'WebhookHeaders',
  shape<HeaderRetrieveResponse>({ headers: texts, sensitive: listField(textField) }),
)

export const webhookMessageAnswer = named(
  'WebhookMessage',
  shape<ReturnType<typeof webhookMessageView>>({
    id: textField,
    webhook_id: textField,
    type: choiceField(webhookEventTypes),
    outcome: choiceField(['pending', 'delivered', 'given_up', 'stopped', 'held_back']),
    attempts: wholeField,
    next_attempt_at: timeOrNull,
    sequence: wholeOrNull,
    test: flagField,
    created_at: timeField,
    payload: anyObject,
  }),
)

export const webhookAttemptAnswer = named(
  'WebhookAttempt',
  shape<ReturnType<typeof webhookAttemptView>>({
    number: wholeField,
    at: timeField,
    latency_ms: wholeField,
    status: wholeOrNull,
    error: textOrNull,
    answer: textOrNull,
  }),
)

export const recoveredAnswer = named(
  'WebhookRecovery',
  shape<ReturnType<typeof recoveredView>>({
    since: timeField,
    recovered: wholeField,
    remaining: wholeField,
  }),
)

export const rotatedSecretAnswer = named(
  'RotatedWebhookSecret',
  shape<ReturnType<typeof rotatedSecretView>>({
    secret: textField,
    former_secret_valid_until: timeField,
  }),
)

/** [webhooks#stream] */
export const webhookStreamAnswer = named('WebhookStream', {
  type: 'string',
  description:
    'Server-sent events: `id` is the webhook-id, `event` the kind, `data` the body as an endpoint gets it. It goes on until one side ends it.',
})
