import { limits } from '../../limits.ts'
import {
  recoveredAnswer,
  rotatedSecretAnswer,
  webhookAnswer,
  webhookAttemptAnswer,
  webhookHeadersAnswer,
  webhookMessageAnswer,
  webhookPageAnswer,
  webhookSecretAnswer,
  webhookStreamAnswer,
} from '../answers/webhooks.ts'
import { whole } from '../schemas.ts'
import {
  headerUpdateSchema,
  webhookCreateSchema,
  webhookUpdateSchema,
} from '../webhook-endpoint.ts'
import { webhookRecoverSchema, webhookTestSchema } from '../webhook-message.ts'
import type { DescribedRoutes } from './described.ts'
import { textQuery } from './described.ts'

export const webhooksDescribed: DescribedRoutes = {
  'GET /webhooks': {
    id: 'listWebhooks',
    summary: 'List webhook endpoints',
    query: { limit: whole(1, limits.pageSizeMax), iterator: textQuery },
    answers: webhookPageAnswer,
  },
  'POST /webhooks': {
    id: 'createWebhook',
    summary: 'Create a webhook endpoint',
    body: {
      schema: webhookCreateSchema,
      example: { url: 'https://example.com/hooks', filter_types: ['credit.balance_low'] },
    },
    answers: webhookAnswer,
    refusals: ['MAXIMUM_WEBHOOKS_REACHED', 'MAXIMUM_KEYS_REACHED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'GET /webhooks/stream': {
    id: 'streamWebhooks',
    summary: 'Everything that is told, as it happens: server-sent events',
    query: {
      types: {
        type: 'string',
        description: 'Kinds with commas between them: others are left out.',
        examples: ['credit.added,credit.deducted'],
      },
    },
    headers: {
      'Last-Event-ID': {
        type: 'string',
        description: 'The id of the last event that came: goes on behind it.',
      },
    },
    answers: webhookStreamAnswer,
    answersAs: 'text/event-stream',
    refusals: ['LAST_EVENT_ID_IS_GONE'],
    ours: true,
  },
  'GET /webhooks/:id': {
    id: 'getWebhook',
    summary: 'Read a webhook endpoint',
    answers: webhookAnswer,
  },
  'PATCH /webhooks/:id': {
    id: 'updateWebhook',
    summary: 'Change a webhook endpoint',
    body: { schema: webhookUpdateSchema, example: { description: 'Ours', rate_limit: 10 } },
    answers: webhookAnswer,
    refusals: ['MAXIMUM_KEYS_REACHED'],
  },
  'DELETE /webhooks/:id': {
    id: 'deleteWebhook',
    summary: 'Delete a webhook endpoint',
    answers: null,
  },
  'GET /webhooks/:id/secret': {
    id: 'getWebhookSecret',
    summary: 'Read the signing secret (needs a key that may write)',
    answers: webhookSecretAnswer,
  },
  'GET /webhooks/:id/headers': {
    id: 'getWebhookHeaders',
    summary: 'Read the headers that are sent along',
    answers: webhookHeadersAnswer,
  },
  'PATCH /webhooks/:id/headers': {
    id: 'updateWebhookHeaders',
    summary: 'Add or change headers that are sent along',
    body: { schema: headerUpdateSchema, example: { headers: { 'X-Team': 'billing' } } },
    answers: null,
  },
  'GET /webhooks/:id/messages': {
    id: 'listWebhookMessages',
    summary: 'List what an endpoint was told',
    paged: true,
    answers: { items: webhookMessageAnswer },
    ours: true,
  },
  'GET /webhooks/:id/messages/:message_id/attempts': {
    id: 'listWebhookAttempts',
    summary: 'List the attempts to deliver a message',
    paged: true,
    answers: { items: webhookAttemptAnswer },
    ours: true,
  },
  'POST /webhooks/:id/messages/:message_id/resend': {
    id: 'resendWebhookMessage',
    summary: 'Send a message again',
    answers: webhookMessageAnswer,
    refusals: ['CONFLICT'],
    ours: true,
  },
  'POST /webhooks/:id/recover': {
    id: 'recoverWebhook',
    summary: 'Send what has not been delivered since a moment',
    body: { schema: webhookRecoverSchema, example: { since: '2026-01-31T12:00:00Z' } },
    answers: recoveredAnswer,
    refusals: ['CONFLICT'],
    ours: true,
  },
  'POST /webhooks/:id/test': {
    id: 'testWebhook',
    summary: 'Send a sample, marked as a test',
    body: { schema: webhookTestSchema, example: { type: 'credit.balance_low' } },
    answers: webhookMessageAnswer,
    refusals: ['CONFLICT'],
    ours: true,
  },
  'POST /webhooks/:id/secret/rotate': {
    id: 'rotateWebhookSecret',
    summary: 'Make a new signing secret; the old one stays good for 24 hours',
    answers: rotatedSecretAnswer,
    refusals: ['CONFLICT'],
    ours: true,
  },
}
