import type { SampledType } from '../rules/facts/sample-fact.ts'
import { sampledTypes, sampleFact } from '../rules/facts/sample-fact.ts'
import type { MadeAttempt, SentMessage, TestMessage } from '../rules/facts/told-message.ts'
import type { NewId } from '../std/id.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant, parseInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { noLinks } from './invoice-link.ts'
import { oneOf } from './schemas.ts'
import { webhookEnvelope } from './webhook-envelope.ts'

export interface WebhookTestParams {
  readonly type: SampledType
}

/** Machine time, as the `created_at` of messages: a test clock moves neither. */
export interface WebhookRecoverParams {
  readonly since: string
}

export const webhookTestSchema = schema<WebhookTestParams>({
  type: 'object',
  required: ['type'],
  properties: { type: oneOf(sampledTypes) },
})

export const webhookRecoverSchema = schema<WebhookRecoverParams>({
  type: 'object',
  required: ['since'],
  properties: { since: { type: 'string', format: 'date-time' } },
})

/** The schema has seen to it that it can be read. */
export const sinceOf = ({ since }: WebhookRecoverParams): Instant => parseInstant(since) as Instant

/** A sample of its kind, marked as one in what is signed. */
export function testMessage(
  type: SampledType,
  of: { readonly businessId: string; readonly at: Instant; readonly newId: NewId },
): TestMessage {
  const told = sampleFact(type, of)
  const { businessId, at, newId } = of
  const envelope = webhookEnvelope({ businessId, at, told }, noLinks)
  const body = JSON.stringify({ ...envelope, test: true })
  return { messageId: newId('msg'), type, body }
}

/** [webhooks#messages] */
export const webhookMessageView = (message: SentMessage) => ({
  id: message.messageId,
  webhook_id: message.webhookId,
  type: message.type,
  outcome: message.outcome ?? 'pending',
  attempts: message.attempts,
  next_attempt_at: message.nextAt === null ? null : formatInstant(message.nextAt),
  sequence: message.sequence,
  test: message.test,
  created_at: formatInstant(message.createdAt),
  payload: JSON.parse(message.body) as unknown,
})

export const webhookAttemptView = (attempt: MadeAttempt) => ({
  number: attempt.number,
  at: formatInstant(attempt.at),
  latency_ms: attempt.durationMs,
  status: attempt.status,
  error: attempt.error,
  answer: attempt.answer,
})

export const recoveredView = (
  since: Instant,
  of: { readonly recovered: number; readonly remaining: number },
) => ({
  since: formatInstant(since),
  recovered: of.recovered,
  remaining: of.remaining,
})

export const rotatedSecretView = (secret: string, formerUntil: Instant) => ({
  secret,
  former_secret_valid_until: formatInstant(formerUntil),
})
