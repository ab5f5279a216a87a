import { isDeepStrictEqual } from 'node:util'
import { Fault, refuse } from '../../faults.ts'
import { limits } from '../../limits.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { EndpointScope } from '../../parts/store/webhook-endpoints.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { WantedEndpoint, WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import { secretContext } from '../../rules/facts/webhook-endpoint.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import { newSigningSecret } from '../../runtime/secrets.ts'
import type { Instant } from '../../std/instant.ts'
import { inTurn } from '../accounts/in-turn.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { WebhookNeeds } from './fields.ts'
import { checkUrl } from './fields.ts'
import { openHeaders, sealHeaders } from './webhook-headers.ts'

/**
 * For an idempotency key that was used before: answers the earlier endpoint, unchanged. @throws
 * Fault 422; 409 where that was made of something else [resources#webhook-endpoints]
 */
export async function createWebhookEndpoint(
  needs: WebhookNeeds,
  scope: EndpointScope,
  input: { readonly wanted: WantedEndpoint; readonly at: Instant },
): Promise<WebhookEndpoint> {
  const { wanted, at } = input
  const { headers, idempotencyKey, ...fields } = wanted
  checkUrl(needs.destinations, wanted.url, scope)
  refuse(metadataRejection(wanted.metadata))
  const webhookId = needs.newId('whk')
  const endpoint: WebhookEndpoint = {
    ...scope,
    webhookId,
    ...fields,
    headers: sealHeaders(needs.secrets, webhookId, headers),
    secret: needs.secrets.seal(newSigningSecret(), secretContext({ webhookId })),
    formerSecrets: [],
    createdAt: at,
    updatedAt: at,
  }
  // Those of this process take turns: each is one of so many.
  return inTurn([`webhook endpoints ${scope.businessId}`], () =>
    untilWritten(needs, 'create_webhook_endpoint', () => written(needs, endpoint, idempotencyKey)),
  )
}

async function written(
  { changes, endpoints, secrets }: WebhookNeeds,
  row: WebhookEndpoint,
  idempotencyKey: string | null,
): Promise<WebhookEndpoint | typeof lost> {
  const { businessId, mode } = row
  const scope = { businessId, mode }
  const known = idempotencyKey === null ? null : await endpoints.keyed(scope, idempotencyKey)
  if (known !== null) {
    refuseAnother(secrets, known, row)
    return known
  }
  const among = await endpoints.counted(businessId)
  const most = limits.webhookEndpointsMax
  if (among >= most) {
    throw new Fault(
      'MAXIMUM_WEBHOOKS_REACHED',
      `A business has at most ${most} webhook endpoints: delete one that is not needed.`,
    )
  }
  const made = { noun: 'webhook_endpoint', expected: null, row, among, idempotencyKey } as const
  const outcome = await changes.commit(rowAlone(scope, made))
  return outcome === 'committed' ? row : lost
}

/** What it was made of is known as long as nobody has changed it. */
function refuseAnother(secrets: Secrets, known: WebhookEndpoint, row: WebhookEndpoint): void {
  if (known.updatedAt !== known.createdAt) return
  if (isDeepStrictEqual(askedOf(secrets, known), askedOf(secrets, row))) return
  throw new Fault(
    'IDEMPOTENCY_KEY_REUSED',
    'This idempotency_key has made another endpoint; a new one needs a new key.',
    { docs: 'resources#webhook-endpoints' },
  )
}

const askedOf = (
  secrets: Secrets,
  endpoint: WebhookEndpoint,
): Omit<WantedEndpoint, 'idempotencyKey'> => ({
  url: endpoint.url,
  description: endpoint.description,
  disabled: endpoint.disabled,
  filterTypes: endpoint.filterTypes,
  rateLimit: endpoint.rateLimit,
  metadata: endpoint.metadata,
  headers: openHeaders(secrets, endpoint),
})
