import { Fault, refuse } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { EndpointScope } from '../../parts/store/webhook-endpoints.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import { secretContext } from '../../rules/facts/webhook-endpoint.ts'
import { newSigningSecret } from '../../runtime/secrets.ts'
import type { Instant } from '../../std/instant.ts'
import type { WebhookCreateParams } from '../../wire/webhook-endpoint.ts'
import type { WebhookPorts } from './fields.ts'
import { checkUrl } from './fields.ts'
import { sealHeaders } from './webhook-headers.ts'

/**
 * With a key seen before: the earlier endpoint, unchanged. @throws Fault 422
 * [resources#webhook-endpoints]
 */
export async function createWebhookEndpoint(
  ports: WebhookPorts,
  scope: EndpointScope,
  input: { readonly params: WebhookCreateParams; readonly at: Instant },
): Promise<WebhookEndpoint> {
  const { params, at } = input
  checkUrl(ports.destinations, params.url, scope)
  refuse(metadataRejection(params.metadata ?? {}))
  const webhookId = ports.newId('whk')
  const endpoint: WebhookEndpoint = {
    ...scope,
    webhookId,
    url: params.url,
    description: params.description ?? '',
    disabled: params.disabled ?? false,
    filterTypes: params.filter_types ?? [],
    rateLimit: params.rate_limit ?? null,
    metadata: params.metadata ?? {},
    headers: sealHeaders(ports.secrets, webhookId, params.headers ?? {}),
    secret: ports.secrets.seal(newSigningSecret(), secretContext({ webhookId })),
    createdAt: at,
    updatedAt: at,
  }
  const most = limits.webhookEndpointsMax
  const made = await ports.endpoints.insert(endpoint, params.idempotency_key ?? null, most)
  if (made !== null) return made
  throw new Fault(
    'MAXIMUM_WEBHOOKS_REACHED',
    `A business has at most ${most} webhook endpoints: delete one that is not needed.`,
  )
}
