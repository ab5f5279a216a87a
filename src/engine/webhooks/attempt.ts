import { sign } from '../../operations/webhooks/signature.ts'
import { openHeaders } from '../../operations/webhooks/webhook-headers.ts'
import type { AttemptRecord, ClaimedDelivery } from '../../parts/store/deliveries.ts'
import { secretContext } from '../../rules/facts/webhook-endpoint.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import { passing } from '../../runtime/moments.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { millisecond, second } from '../../std/instant.ts'
import type { Outgoing, PostAnswer } from './egress.ts'
import { nextAttemptAt, parseRetryAfter } from './schedule.ts'

export interface AttemptNeeds {
  readonly post: (outgoing: Outgoing) => Promise<PostAnswer>
  readonly secrets: Secrets
  readonly clock: Clock
  readonly logger: Logger
}

/** Makes one attempt; null when `signal` broke it off: then it counts as never made. */
export async function attempt(
  needs: AttemptNeeds,
  claim: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptRecord | null> {
  const { clock, post, logger } = needs
  const at = clock.now()
  const answer = await answerOf()
  if (answer.error === 'aborted') return null
  passing('attempted')
  const over = clock.now()
  const retryAfter = parseRetryAfter(answer.retryAfter, over)
  const nextAt = answer.error === null ? null : nextOf(claim, over, retryAfter)
  const { messageId, webhookId, attempt, scheduleStart } = claim
  return {
    messageId,
    webhookId,
    attempt,
    scheduleStart,
    at,
    durationMs: Math.max(0, Math.round((over - at) / millisecond)),
    status: answer.status,
    error: answer.error,
    answer: answer.answer,
    nextAt,
    outcome: answer.error === null ? 'delivered' : nextAt === null ? 'given_up' : null,
  }

  async function answerOf(): Promise<PostAnswer | typeof unsigned> {
    let headers: Readonly<Record<string, string>>
    try {
      headers = headersOf(needs.secrets, claim, at)
    } catch (error) {
      logger.error(
        { messageId: claim.messageId, webhookId: claim.webhookId, err: error },
        'unsigned',
      )
      return unsigned
    }
    const { url, mode, body } = claim
    return post({ url, mode, body, headers, attempt: claim.attempt, signal })
  }
}

const unsigned = { error: 'secret', status: null, retryAfter: null, answer: null } as const

/** Null when its schedule ends with it, or has never been, and for a test, which is tried once. */
function nextOf(
  { attempt, scheduleStart, test }: ClaimedDelivery,
  failedAt: Instant,
  retryAfter: Duration | null,
): Instant | null {
  if (test || scheduleStart === null) return null
  return nextAttemptAt(Math.max(1, attempt - scheduleStart), failedAt, retryAfter)
}

/** Goes by real time, whatever the business's clock says. [webhooks#kinds, webhooks#gaps] */
function headersOf(
  secrets: Secrets,
  claim: ClaimedDelivery,
  at: Instant,
): Readonly<Record<string, string>> {
  const { messageId: id, body, sequence, previous } = claim
  const timestamp = Math.floor(at / second)
  const good = claim.formerSecrets.filter(({ until }) => until > at)
  const signatures = [claim.secret, ...good.map(({ secret }) => secret).toReversed()].map(
    (sealed) => sign(secrets.open(sealed, secretContext(claim)), { id, timestamp, body }),
  )
  return {
    'user-agent': 'Sluice-Webhooks/1',
    ...openHeaders(secrets, claim),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    ...(sequence === null ? {} : { 'sluice-sequence': String(sequence) }),
    ...(previous === null ? {} : { 'sluice-previous': String(previous) }),
  }
}
