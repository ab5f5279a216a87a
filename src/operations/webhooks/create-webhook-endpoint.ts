import { Fault, refuse } from '../../faults.ts'
import { limits } from '../../limits.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { EndpointScope } from '../../parts/store/webhook-endpoints.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { WantedEndpoint, WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import { secretContext } from '../../rules/facts/webhook-endpoint.ts'
import { newSigningSecret } from '../../runtime/secrets.ts'
import type { Instant } from '../../std/instant.ts'
import { inTurn } from '../accounts/in-turn.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { WebhookNeeds } from './fields.ts'
import { checkUrl } from './fields.ts'
import { sealHeaders } from './webhook-headers.ts'

/**
 * For an idempotency key that was used before: answers the earlier endpoint, unchanged. @throws
 * Fault 422 [resources#webhook-endpoints]
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
  { changes, endpoints }: WebhookNeeds,
  row: WebhookEndpoint,
  idempotencyKey: string | null,
): Promise<WebhookEndpoint | typeof lost> {
  const { businessId, mode } = row
  const scope = { businessId, mode }
  const known = idempotencyKey === null ? null : await endpoints.keyed(scope, idempotencyKey)
  if (known !== null) return known
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
