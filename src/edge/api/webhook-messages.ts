import type { WebhookNeeds } from '../../operations/webhooks/fields.ts'
import type { RotatedSecret } from '../../operations/webhooks/rotate-webhook-secret.ts'
import { rotateWebhookSecret } from '../../operations/webhooks/rotate-webhook-secret.ts'
import type { WebhookMessagesNeeds } from '../../operations/webhooks/webhook-messages.ts'
import {
  listWebhookAttempts,
  listWebhookMessages,
  recoverWebhookMessages,
  resendWebhookMessage,
  sendTestMessage,
} from '../../operations/webhooks/webhook-messages.ts'
import type { DeliveryKey, EndpointKey } from '../../parts/store/webhook-messages.ts'
import { page } from '../../wire/schemas.ts'
import { toWebhookSecret } from '../../wire/webhook-endpoint.ts'
import {
  recoveredView,
  rotatedSecretView,
  sinceOf,
  testMessage,
  webhookAttemptView,
  webhookMessageView,
  webhookRecoverSchema,
  webhookTestSchema,
} from '../../wire/webhook-message.ts'
import { parse, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route, scanning } from '../http/route.ts'

export type WebhookMessagesRouteNeeds = Omit<WebhookNeeds, 'destinations'> & WebhookMessagesNeeds

/** What an endpoint was told, and again; and its secret (all ours). [webhooks#messages] */
export function webhookMessageRoutes(ports: WebhookMessagesRouteNeeds): readonly Route[] {
  return [
    route('GET', '/webhooks/:id/messages', 'read', list),
    route('GET', '/webhooks/:id/messages/:message_id/attempts', 'read', listAttempts),
    route('POST', '/webhooks/:id/messages/:message_id/resend', 'write', resend, 'none'),
    // Looks at all that the endpoint was told since.
    scanning(route('POST', '/webhooks/:id/recover', 'write', recover)),
    route('POST', '/webhooks/:id/test', 'write', test),
    route('POST', '/webhooks/:id/secret/rotate', 'write', rotate, 'none'),
  ]

  async function list(request: Request): Promise<Reply> {
    const found = await listWebhookMessages(ports, endpointKey(request), parsePage(request))
    return ok(page(found.map(webhookMessageView)))
  }

  async function listAttempts(request: Request): Promise<Reply> {
    const found = await listWebhookAttempts(ports, deliveryKey(request), parsePage(request))
    return ok(page(found.map(webhookAttemptView)))
  }

  async function resend(request: Request): Promise<Reply> {
    return ok(webhookMessageView(await resendWebhookMessage(ports, deliveryKey(request))))
  }

  async function recover(request: Request): Promise<Reply> {
    const since = sinceOf(parse(webhookRecoverSchema, request.body))
    return ok(
      recoveredView(since, await recoverWebhookMessages(ports, endpointKey(request), since)),
    )
  }

  async function test(request: Request): Promise<Reply> {
    const { type } = parse(webhookTestSchema, request.body)
    const { businessId } = request.caller
    const message = testMessage(type, { businessId, at: request.at, newId: ports.newId })
    return ok(webhookMessageView(await sendTestMessage(ports, endpointKey(request), message)))
  }

  async function rotate(request: Request): Promise<Reply> {
    const key = endpointKey(request)
    const rotated: RotatedSecret = await rotateWebhookSecret(ports, key, {
      webhookId: key.webhookId,
      at: request.at,
    })
    return ok(rotatedSecretView(toWebhookSecret(rotated.secret), rotated.formerUntil))
  }
}

const endpointKey = (request: Request): EndpointKey => ({
  businessId: request.caller.businessId,
  mode: request.caller.mode,
  webhookId: parseId(request, 'id', 'webhook'),
})

const deliveryKey = (request: Request): DeliveryKey => ({
  ...endpointKey(request),
  messageId: parseId(request, 'message_id', 'message of this webhook'),
})
