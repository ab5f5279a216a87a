import { Fault } from '../../faults.ts'
import type { EndpointScope } from '../../parts/store/webhook-endpoints.ts'
import { goodSecrets, rotatedEndpoint, secretContext } from '../../rules/facts/webhook-endpoint.ts'
import type { Clock } from '../../runtime/clock.ts'
import { newSigningSecret } from '../../runtime/secrets.ts'
import type { Instant } from '../../std/instant.ts'
import { after, hour } from '../../std/instant.ts'
import { writeEndpoint } from './change-webhook-endpoint.ts'
import type { WebhookNeeds } from './fields.ts'

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
  needs: Pick<WebhookNeeds, 'changes' | 'endpoints' | 'retried' | 'secrets'> & {
    readonly clock: Clock
  },
  scope: EndpointScope,
  { webhookId, at }: { readonly webhookId: string; readonly at: Instant },
): Promise<RotatedSecret> {
  const secret = newSigningSecret()
  const sealed = needs.secrets.seal(secret, secretContext({ webhookId }))
  const now = needs.clock.now()
  const formerUntil = after(now, formerFor)
  await writeEndpoint(needs, scope, {
    operation: 'rotate_webhook_secret',
    webhookId,
    decide: (was) => {
      if (goodSecrets(was, now).length >= formerSecretsMax) throw tooMany()
      const row = rotatedEndpoint(was, { secret: sealed, formerUntil, now }, at)
      return { row, deletedAt: null }
    },
  })
  return { secret, formerUntil }
}

const tooMany = (): Fault =>
  new Fault(
    'CONFLICT',
    `The secret was rotated ${formerSecretsMax} times in the last ${formerFor / hour} hours, and each one is good for so long: wait, or make a new endpoint.`,
    { docs: 'webhooks#rotation' },
  )
