import { Fault, notFound, orNotFound } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Page } from '../../parts/store/scope.ts'
import type { WebhookEndpoints } from '../../parts/store/webhook-endpoints.ts'
import type {
  DeliveryKey,
  EndpointKey,
  Recovered,
  WebhookMessages,
} from '../../parts/store/webhook-messages.ts'
import type { MadeAttempt, SentMessage, TestMessage } from '../../rules/facts/told-message.ts'
import type { WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'

export interface WebhookMessagesNeeds {
  readonly endpoints: Pick<WebhookEndpoints, 'find'>
  readonly messages: WebhookMessages
  /** Real time: deliveries are due by it. */
  readonly clock: Clock
}

/** @throws Fault 404 [webhooks#messages] */
export async function listWebhookMessages(
  ports: WebhookMessagesNeeds,
  key: EndpointKey,
  page: Page,
): Promise<readonly SentMessage[]> {
  await endpointOf(ports, key)
  return ports.messages.page(key, page)
}

/** @throws Fault 404 [webhooks#messages] */
export async function listWebhookAttempts(
  ports: WebhookMessagesNeeds,
  key: DeliveryKey,
  page: Page,
): Promise<readonly MadeAttempt[]> {
  await messageOf(ports, key)
  return ports.messages.attempts(key, page)
}

/** Sends it once more, with a schedule of its own. @throws Fault 404, 409 [webhooks#messages] */
export async function resendWebhookMessage(
  ports: WebhookMessagesNeeds,
  key: DeliveryKey,
): Promise<SentMessage> {
  // The place first: who asks about what is not there is told so, whatever the endpoint is.
  await messageOf(ports, key)
  if (!(await ports.messages.resend(key, ports.clock.now()))) throw await notSent(ports, key)
  return foundMessage(ports, key)
}

/** Deliveries that one recovery takes up. */
const recoveredMax = 10_000

/**
 * Makes due what was made from `since` on and has not been delivered. @throws Fault 404, 409
 * [webhooks#recovery]
 */
export async function recoverWebhookMessages(
  ports: WebhookMessagesNeeds,
  key: EndpointKey,
  since: Instant,
): Promise<Recovered> {
  refuseDisabled(await endpointOf(ports, key))
  return ports.messages.recover(key, {
    since,
    at: ports.clock.now(),
    most: recoveredMax,
    backlogMax: limits.webhookBacklogMax,
  })
}

/** @throws Fault 404, 409 [webhooks#tests] */
export async function sendTestMessage(
  ports: WebhookMessagesNeeds,
  key: EndpointKey,
  message: TestMessage,
): Promise<SentMessage> {
  if (!(await ports.messages.insertTest(key, message, ports.clock.now()))) {
    throw await notSent(ports, key)
  }
  return foundMessage(ports, { ...key, messageId: message.messageId })
}

/** Of an endpoint that is there: what a business had deleted is not shown again. */
async function messageOf(ports: WebhookMessagesNeeds, key: DeliveryKey): Promise<SentMessage> {
  await endpointOf(ports, key)
  return foundMessage(ports, key)
}

const foundMessage = async (
  { messages }: WebhookMessagesNeeds,
  key: DeliveryKey,
): Promise<SentMessage> =>
  orNotFound(await messages.find(key), 'message of this webhook', key.messageId)

const endpointOf = async (
  { endpoints }: WebhookMessagesNeeds,
  key: EndpointKey,
): Promise<WebhookEndpoint> =>
  orNotFound(await endpoints.find(key, key.webhookId), 'webhook', key.webhookId)

/** Why nothing was sent: found out afterwards, since it may have changed meanwhile. */
async function notSent(
  ports: WebhookMessagesNeeds,
  key: EndpointKey | DeliveryKey,
): Promise<Fault> {
  refuseDisabled(await endpointOf(ports, key))
  return notFound('message of this webhook', 'messageId' in key ? key.messageId : '')
}

function refuseDisabled({ disabled }: WebhookEndpoint): void {
  if (!disabled) return
  throw new Fault('CONFLICT', 'The webhook is disabled, and gets nothing: enable it first.', {
    docs: 'webhooks#messages',
  })
}
