import { openHeaders } from '../../operations/webhooks/webhook-headers.ts'
import type { AttemptRecord, ClaimedDelivery } from '../../parts/store/deliveries.ts'
import { secretContext } from '../../rules/facts/webhook-endpoint.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import { passing } from '../../runtime/moments.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import { millisecond, second } from '../../std/instant.ts'
import type { Outgoing, PostAnswer } from './egress.ts'
import { nextAttemptAt, parseRetryAfter } from './schedule.ts'
import { sign } from './signature.ts'

export interface AttemptOptions {
  readonly post: (outgoing: Outgoing) => Promise<PostAnswer>
  readonly secrets: Secrets
  readonly clock: Clock
  readonly logger: Logger
}

/** Makes one attempt; null when `signal` broke it off: then it counts as never made. */
export async function attempt(
  options: AttemptOptions,
  claim: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptRecord | null> {
  const { clock, post, logger } = options
  const at = clock.now()
  const answer = await answerOf()
  if (answer.error === 'aborted') return null
  passing('attempted')
  const over = clock.now()
  const retryAfter = parseRetryAfter(answer.retryAfter, over)
  const nextAt = answer.error === null ? null : nextAttemptAt(claim.attempt, over, retryAfter)
  const { messageId, webhookId, attempt } = claim
  return {
    messageId,
    webhookId,
    attempt,
    at,
    durationMs: Math.max(0, Math.round((over - at) / millisecond)),
    status: answer.status,
    error: answer.error,
    nextAt,
    outcome: answer.error === null ? 'delivered' : nextAt === null ? 'given_up' : null,
  }

  async function answerOf(): Promise<
    PostAnswer | { error: 'secret'; status: null; retryAfter: null }
  > {
    let headers: Readonly<Record<string, string>>
    try {
      headers = headersOf(options.secrets, claim, Math.floor(at / second))
    } catch (error) {
      logger.error(
        { messageId: claim.messageId, webhookId: claim.webhookId, err: error },
        'unsigned',
      )
      return { error: 'secret', status: null, retryAfter: null }
    }
    const { url, mode, body } = claim
    return post({ url, mode, body, headers, attempt: claim.attempt, signal })
  }
}

/**
 * `timestamp` is real time in seconds, whatever the business's test clock says. [webhooks#kinds]
 */
function headersOf(
  secrets: Secrets,
  claim: ClaimedDelivery,
  timestamp: number,
): Readonly<Record<string, string>> {
  const { messageId: id, body } = claim
  const secret = secrets.open(claim.secret, secretContext(claim))
  return {
    'user-agent': 'Sluice-Webhooks/1',
    ...openHeaders(secrets, claim),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secret, { id, timestamp, body }),
  }
}
