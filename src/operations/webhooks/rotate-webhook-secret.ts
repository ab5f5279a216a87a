import { Fault, notFound } from '../../faults.ts'
import type { EndpointScope } from '../../parts/store/webhook-endpoints.ts'
import { secretContext } from '../../rules/facts/webhook-endpoint.ts'
import type { Clock } from '../../runtime/clock.ts'
import { newSigningSecret } from '../../runtime/secrets.ts'
import type { Instant } from '../../std/instant.ts'
import { after, hour } from '../../std/instant.ts'
import type { WebhookPorts } from './fields.ts'

/** How long a secret is good for beside the one that replaced it, and how many may be so. */
const formerFor = 24 * hour
export const formerSecretsMax = 5

export interface RotatedSecret {
  readonly secret: Uint8Array
  /** Real time: until then webhooks are signed with the former secret, too. */
  readonly formerUntil: Instant
}

/** @throws Fault 404, 409 [webhooks#rotation] */
export async function rotateWebhookSecret(
  ports: Pick<WebhookPorts, 'endpoints' | 'secrets'> & { readonly clock: Clock },
  scope: EndpointScope,
  { webhookId, at }: { readonly webhookId: string; readonly at: Instant },
): Promise<RotatedSecret> {
  const { endpoints, secrets, clock } = ports
  const secret = newSigningSecret()
  const sealed = secrets.seal(secret, secretContext({ webhookId }))
  const now = clock.now()
  const formerUntil = after(now, formerFor)
  const most = formerSecretsMax
  const change = { secret: sealed, now, formerUntil, most, at }
  if (await endpoints.rotate(scope, webhookId, change)) return { secret, formerUntil }
  if ((await endpoints.find(scope, webhookId)) === null) throw notFound('webhook', webhookId)
  const hours = formerFor / hour
  throw new Fault(
    'CONFLICT',
    `The secret was rotated ${most} times in the last ${hours} hours, and each one is good for so long: wait, or make a new endpoint.`,
  )
}
