import { Fault, refuse } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { EndpointScope } from '../../parts/store/webhook-endpoints.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { WantedEndpoint, WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import { secretContext } from '../../rules/facts/webhook-endpoint.ts'
import { newSigningSecret } from '../../runtime/secrets.ts'
import type { Instant } from '../../std/instant.ts'
import type { WebhookPorts } from './fields.ts'
import { checkUrl } from './fields.ts'
import { sealHeaders } from './webhook-headers.ts'

/**
 * For an idempotency key that was used before: answers the earlier endpoint, unchanged. @throws
 * Fault 422 [resources#webhook-endpoints]
 */
export async function createWebhookEndpoint(
  ports: WebhookPorts,
  scope: EndpointScope,
  input: { readonly wanted: WantedEndpoint; readonly at: Instant },
): Promise<WebhookEndpoint> {
  const { wanted, at } = input
  const { headers, idempotencyKey, ...fields } = wanted
  checkUrl(ports.destinations, wanted.url, scope)
  refuse(metadataRejection(wanted.metadata))
  const webhookId = ports.newId('whk')
  const endpoint: WebhookEndpoint = {
    ...scope,
    webhookId,
    ...fields,
    headers: sealHeaders(ports.secrets, webhookId, headers),
    secret: ports.secrets.seal(newSigningSecret(), secretContext({ webhookId })),
    createdAt: at,
    updatedAt: at,
  }
  const most = limits.webhookEndpointsMax
  const made = await ports.endpoints.insert(endpoint, idempotencyKey, most)
  if (made !== null) return made
  throw new Fault(
    'MAXIMUM_WEBHOOKS_REACHED',
    `A business has at most ${most} webhook endpoints: delete one that is not needed.`,
  )
}
