import { Fault } from '../../faults.ts'
import type { EndpointScope, WebhookEndpoints } from '../../parts/store/webhook-endpoints.ts'
import type { Destinations } from '../../rules/facts/destination.ts'
import type { WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import { secretContext } from '../../rules/facts/webhook-endpoint.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import { newSigningSecret } from '../../runtime/secrets.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { WebhookCreateParams } from '../../wire/webhook-endpoint.ts'
import { sealHeaders } from './webhook-headers.ts'

export interface WebhookPorts {
  readonly endpoints: WebhookEndpoints
  readonly secrets: Secrets
  readonly destinations: Destinations
  readonly newId: NewId
}

/**
 * With a key seen before: the earlier endpoint, unchanged. @throws Fault 422 [contract B.22, A.8]
 */
export async function createWebhookEndpoint(
  ports: WebhookPorts,
  scope: EndpointScope,
  input: { readonly params: WebhookCreateParams; readonly at: Instant },
): Promise<WebhookEndpoint> {
  const { params, at } = input
  checkUrl(ports.destinations, params.url, scope)
  checkMetadata(params.metadata)
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
  return ports.endpoints.insert(endpoint, params.idempotency_key ?? null)
}

/** @throws Fault 422 when webhooks of this mode may not go there. [ruling 31] */
export function checkUrl(destinations: Destinations, url: string, scope: EndpointScope): void {
  const problem = destinations.problemOf(url, scope.mode)
  if (problem !== null) throw new Fault('INVALID_REQUEST_BODY', problem)
}

/** @throws Fault 422 past 50 pairs. [contract A.5] */
export function checkMetadata(metadata: Readonly<Record<string, string>> | null | undefined): void {
  if (Object.keys(metadata ?? {}).length <= 50) return
  throw new Fault('MAXIMUM_KEYS_REACHED', 'metadata must hold at most 50 keys.')
}
