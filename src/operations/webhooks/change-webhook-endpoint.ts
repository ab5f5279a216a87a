import { orNotFound, refuse } from '../../faults.ts'
import type { EndpointChange, EndpointScope } from '../../parts/store/webhook-endpoints.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import type { Instant } from '../../std/instant.ts'
import type { WebhookUpdateParams } from '../../wire/webhook-endpoint.ts'
import type { WebhookPorts } from './fields.ts'
import { checkUrl } from './fields.ts'

/**
 * Changes what was sent. Null empties what can be empty; `url` and `disabled` cannot, and keep
 * their value. @throws Fault 404, 422 [resources#webhook-endpoints, requests#nulls]
 */
export async function changeWebhookEndpoint(
  ports: Pick<WebhookPorts, 'endpoints' | 'destinations'>,
  scope: EndpointScope,
  input: {
    readonly webhookId: string
    readonly params: WebhookUpdateParams
    readonly at: Instant
  },
): Promise<WebhookEndpoint> {
  const { webhookId, params, at } = input
  if (typeof params.url === 'string') checkUrl(ports.destinations, params.url, scope)
  refuse(metadataRejection(params.metadata ?? {}))
  const change = { ...changeOf(params), at }
  const changed = orNotFound(
    await ports.endpoints.change(scope, webhookId, change),
    'webhook',
    webhookId,
  )
  return changed
}

function changeOf(params: WebhookUpdateParams): EndpointChange {
  const { url, description, disabled, filter_types: types, metadata, rate_limit: limit } = params
  return {
    ...(typeof url === 'string' && { url }),
    ...(description !== undefined && { description: description ?? '' }),
    ...(typeof disabled === 'boolean' && { disabled }),
    ...(types !== undefined && { filterTypes: types ?? [] }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    ...(limit !== undefined && { rateLimit: limit }),
  }
}
