import { orNotFound, refuse } from '../../faults.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { EndpointScope } from '../../parts/store/webhook-endpoints.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { EndpointChange, WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import { changedEndpoint, forgottenEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import type { Instant } from '../../std/instant.ts'
import type { Operation } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { WebhookNeeds } from './fields.ts'
import { checkUrl } from './fields.ts'

type EndpointNeeds = Pick<WebhookNeeds, 'changes' | 'endpoints' | 'retried'>

/** @throws Fault 404, 422 [resources#webhook-endpoints] */
export async function changeWebhookEndpoint(
  ports: EndpointNeeds & Pick<WebhookNeeds, 'destinations'>,
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
  return writeEndpoint(ports, scope, {
    operation: 'update_webhook_endpoint',
    webhookId,
    decide: (was) => ({ row: changedEndpoint(was, change, at), deletedAt: null }),
  })
}

/** Forgets its secrets and ends its pending deliveries. @throws Fault 404 */
export async function deleteWebhookEndpoint(
  ports: EndpointNeeds,
  scope: EndpointScope,
  { webhookId, at }: { readonly webhookId: string; readonly at: Instant },
): Promise<void> {
  await writeEndpoint(ports, scope, {
    operation: 'delete_webhook_endpoint',
    webhookId,
    decide: (was) => ({ row: forgottenEndpoint(was), deletedAt: at }),
  })
}

interface EndpointWrite {
  readonly operation: Operation
  readonly webhookId: string
  /** What becomes of it as it is; asked anew in every try. */
  readonly decide: (was: WebhookEndpoint) => {
    readonly row: WebhookEndpoint
    readonly deletedAt: Instant | null
  }
}

/** The endpoint as it is afterwards. @throws Fault 404 */
export function writeEndpoint(
  ports: EndpointNeeds,
  scope: EndpointScope,
  { operation, webhookId, decide }: EndpointWrite,
): Promise<WebhookEndpoint> {
  return untilWritten(ports, operation, async () => {
    const expected = orNotFound(await ports.endpoints.find(scope, webhookId), 'webhook', webhookId)
    const changed = { noun: 'webhook_endpoint', expected, ...decide(expected) } as const
    const outcome = await ports.changes.commit(rowAlone(scope, changed))
    return outcome === 'committed' ? changed.row : lost
  })
}
