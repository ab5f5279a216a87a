import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { EndpointScope } from '../../parts/store/webhook-endpoints.ts'
import type {
  SealedHeaders,
  VisibleHeaders,
  WebhookEndpoint,
} from '../../rules/facts/webhook-endpoint.ts'
import {
  headerContext,
  isFreeHeader,
  isSensitiveHeader,
  withHeaders,
} from '../../rules/facts/webhook-endpoint.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import type { Instant } from '../../std/instant.ts'
import { writeEndpoint } from './change-webhook-endpoint.ts'
import type { WebhookNeeds } from './fields.ts'

type Headers = Readonly<Record<string, string>>

/**
 * Adds or replaces the given headers, and leaves the others. @throws Fault 404, 422
 * [resources#webhook-endpoints]
 */
export async function changeWebhookHeaders(
  needs: Pick<WebhookNeeds, 'changes' | 'endpoints' | 'retried' | 'secrets'>,
  scope: EndpointScope,
  input: { readonly webhookId: string; readonly headers: Headers; readonly at: Instant },
): Promise<void> {
  const { webhookId, at } = input
  const headers = sealHeaders(needs.secrets, webhookId, input.headers)
  await writeEndpoint(needs, scope, {
    operation: 'update_webhook_endpoint',
    webhookId,
    decide: (was) => {
      const row = withHeaders(was, headers, at)
      refuseTooMany(countOf(row), countOf(was))
      return { row, deletedAt: null }
    },
  })
}

const countOf = ({ headers }: Pick<WebhookEndpoint, 'headers'>): number =>
  Object.keys(headers).length

/**
 * Changes add up, so that their own bound is none for the endpoint. One that has more than it may,
 * since it was made before there was this bound, can still change those that it has.
 */
function refuseTooMany(count: number, before: number): void {
  const most = limits.webhookHeadersMax
  if (count <= Math.max(most, before)) return
  throw new Fault(
    'INVALID_REQUEST_BODY',
    `headers would make ${count} headers of this endpoint, and it may have at most ${most}.`,
  )
}

/** Encrypts headers. @throws Fault 422 naming a header that a caller may not set. */
export function sealHeaders(secrets: Secrets, webhookId: string, headers: Headers): SealedHeaders {
  // Of two spellings of one header the last one counts, as it would in a later PATCH.
  const spelled = new Map<string, readonly [string, string]>()
  for (const [name, value] of Object.entries(headers)) {
    if (!isFreeHeader(name)) {
      throw new Fault('INVALID_REQUEST_BODY', `headers.${name} is set by the sender of webhooks.`)
    }
    const sealed = secrets.seal(Buffer.from(value), headerContext({ webhookId }, name))
    spelled.set(name.toLowerCase(), [name, Buffer.from(sealed).toString('base64')])
  }
  return Object.fromEntries(spelled.values())
}

/** Decrypts headers for sending: name → value. */
export function openHeaders(
  secrets: Secrets,
  endpoint: Pick<WebhookEndpoint, 'webhookId' | 'headers'>,
): Headers {
  const entries = Object.entries(endpoint.headers).map(([name, sealed]) => {
    const value = secrets.open(Buffer.from(sealed, 'base64'), headerContext(endpoint, name))
    return [name, Buffer.from(value).toString()] as const
  })
  return Object.fromEntries(entries)
}

export function visibleHeaders(
  secrets: Secrets,
  endpoint: Pick<WebhookEndpoint, 'webhookId' | 'headers'>,
): VisibleHeaders {
  const names = Object.keys(endpoint.headers)
  const open = openHeaders(secrets, endpoint)
  const shown = Object.entries(open).filter(([name]) => !isSensitiveHeader(name))
  return { shown: Object.fromEntries(shown), sensitive: names.filter(isSensitiveHeader) }
}
