import { orNotFound, refuse } from '../../faults.ts'
import type { EndpointScope } from '../../parts/store/webhook-endpoints.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { EndpointChange, WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import type { Instant } from '../../std/instant.ts'
import type { WebhookPorts } from './fields.ts'
import { checkUrl } from './fields.ts'

/** @throws Fault 404, 422 [resources#webhook-endpoints] */
export async function changeWebhookEndpoint(
  ports: Pick<WebhookPorts, 'endpoints' | 'destinations'>,
  scope: EndpointScope,
  input: {
    readonly webhookId: string
    readonly change: EndpointChange
    readonly at: Instant
  },
): Promise<WebhookEndpoint> {
  const { webhookId, change, at } = input
  if (change.url !== undefined) checkUrl(ports.destinations, change.url, scope)
  refuse(metadataRejection(change.metadata ?? {}))
  const changed = await ports.endpoints.change(scope, webhookId, { ...change, at })
  return orNotFound(changed, 'webhook', webhookId)
}
