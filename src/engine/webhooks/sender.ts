import { setMaxListeners } from 'node:events'
import { limits } from '../../limits.ts'
import type { ClaimedDelivery, Deliveries, Pending } from '../../parts/store/deliveries.ts'
import type { AttemptNeeds } from './attempt.ts'
import { attempt } from './attempt.ts'
import { openUnderWay } from './open-attempts.ts'
import { openResults } from './results.ts'

export interface WebhookMetrics {
  /** Counts `webhook_attempts_total{outcome}`; failed means that another attempt follows. */
  attempted(outcome: 'delivered' | 'failed' | 'given_up'): void
  /** `webhook_pending`, and `webhook_backlog` of the endpoint with the most. */
  pending(pending: Pending): void
}

export interface WebhookSenderNeeds extends AttemptNeeds {
  readonly deliveries: Deliveries
  readonly metrics: WebhookMetrics
  readonly leaseMs: number
  /** Called when an attempt has ended: there is something to write down, and room for another. */
  readonly ended: () => void
}

/** Turns due deliveries into attempts. */
export interface Sender {
  /** One round; true when there may be more to claim. */
  round(): Promise<boolean>

  /**
   * Gives the attempts under way `graceMs`, breaks off the rest, and writes everything down. No
   * further round begins.
   */
  finish(graceMs: number): Promise<void>
}

const claimsMax = 64

export function openSender(needs: WebhookSenderNeeds): Sender {
  const { deliveries, clock, metrics, logger, leaseMs } = needs
  const results = openResults(deliveries, ({ outcome }) => metrics.attempted(outcome ?? 'failed'))
  const underWay = openUnderWay(needs.ended)
  const aborting = new AbortController()
  // There is a listener for each attempt, and attempts are bounded, so this is no leak.
  setMaxListeners(0, aborting.signal)
  return { round, finish }

  /**
   * 1. Write down what has ended. After a crash before this, those attempts are repeated when their
   *    leases end.
   * 2. Claim, as far as there is room. A crash after this delays what was claimed by a lease.
   * 3. Send. Nothing waits for it here: each attempt reports when it has ended.
   */
  async function round(): Promise<boolean> {
    await results.writeDown()
    const room = limits.webhookAttemptsMax - underWay.total()
    if (room <= 0) return false
    const claims = await deliveries.claim({
      at: clock.now(),
      limit: Math.min(room, claimsMax),
      perEndpoint: perEndpoint(underWay.total()),
      underWay: underWay.byEndpoint,
      leaseMs,
    })
    for (const claim of claims) underWay.add(claim.webhookId, carryOut(claim))
    return claims.length > 0
  }

  async function finish(graceMs: number): Promise<void> {
    const timer = setTimeout(() => aborting.abort(), graceMs)
    await underWay.settled()
    clearTimeout(timer)
    await results.writeDown().catch((error: unknown) => {
      // Their leases end by themselves, and the attempts are then made once more.
      logger.warn({ err: error }, 'attempts could not be written down')
    })
  }

  async function carryOut(claim: ClaimedDelivery): Promise<void> {
    await turn(claim.waitMs, aborting.signal)
    const record = await attempt(needs, claim, aborting.signal)
    if (record === null) results.brokenOff(claim)
    else results.finished(record)
    if (record?.outcome === 'given_up') {
      const { messageId, webhookId, attempt: attempts } = claim
      logger.warn({ messageId, webhookId, attempts }, 'a delivery was given up')
    }
  }
}

/**
 * How many attempts one endpoint may have under way. When more than half of all places are taken,
 * one each: endpoints that hang must leave room for all others. [machines#telling]
 */
function perEndpoint(underWay: number): number {
  return underWay < limits.webhookAttemptsMax / 2 ? limits.webhookAttemptsPerEndpointMax : 1
}

/** Waits for a rate-limited attempt's turn; an abort ends the wait. */
function turn(waitMs: number, signal: AbortSignal): Promise<void> {
  if (waitMs === 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, waitMs)
    signal.addEventListener('abort', done)
  })
}
