import type { WebhookEventType } from '../rules/facts/webhook-event-types.ts'
import { isWebhookEventType } from '../rules/facts/webhook-event-types.ts'

/** What a caller wrote in `types`, kind by kind, and the first that there is not; null: none. */
export function readTypes(text: string): {
  readonly types: readonly WebhookEventType[]
  readonly unknown: string | null
} {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !isWebhookEventType(name)) ?? null
  return { types: [...new Set(names.filter(isWebhookEventType))], unknown }
}

/**
 * One server-sent event. Envelopes are JSON without line ends, so each is one line of data.
 * [webhooks#stream]
 */
export const streamedEvent = (message: {
  readonly messageId: string
  readonly type: string
  readonly body: string
}): string => `id: ${message.messageId}\nevent: ${message.type}\ndata: ${message.body}\n\n`

/** Moves on what a reader will come back with, and is no event: it has no data. */
export const streamedPlace = (place: string): string => `id: ${place}\n\n`

/** How it begins: after how many ms to come back, and from where. */
export const streamBeginning = (place: string): string => `retry: 1000\n${streamedPlace(place)}`

/** A comment: the stream is there, and has nothing to tell. */
export const streamBeat = ':\n\n'
