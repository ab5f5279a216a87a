import { setMaxListeners } from 'node:events'
import { limits } from '../../limits.ts'
import type { AttemptRecord, ClaimedDelivery, Deliveries } from '../../parts/store/deliveries.ts'
import type { Outbox } from '../../parts/store/outbox.ts'
import type { Destinations } from '../../rules/facts/destination.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import type { Logger } from '../loop.ts'
import { loop } from '../loop.ts'
import { attempt } from './attempt.ts'
import { openEgress } from './egress.ts'
import { relay } from './relay.ts'
import type { Resolve } from './resolve.ts'
import { openResolve } from './resolve.ts'

export interface WebhookMetrics {
  /** `webhook_attempts_total{outcome}`: failed means that another attempt follows. */
  attempted(outcome: 'delivered' | 'failed' | 'given_up'): void
  /** `webhook_pending`. */
  pending(deliveries: number): void
}

export interface DeliveryOptions {
  readonly outbox: Outbox
  readonly deliveries: Deliveries
  readonly secrets: Secrets
  readonly destinations: Destinations
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: WebhookMetrics
  /** Others than the limits' are for tests. */
  readonly timeoutMs?: number
  readonly leaseMs?: number
  readonly resolve?: Resolve
}

export interface Delivery {
  start(): void

  /** Facts were committed: tell them now rather than at the next look. */
  nudge(): void

  /** Claims nothing more, gives attempts under way `graceMs`, and frees those that it breaks off. */
  stop(graceMs?: number): Promise<void>
}

/** How often to look without a nudge: at facts of other processes, and at what has become due. */
const [relayIdleMs, deliverIdleMs, tidyIdleMs] = [50, 200, 5_000]
const claimsMax = 64

/**
 * Relay, delivery and tidying, each a loop. All state is the store's: whatever happens to this
 * process, a delivery is attempted again when its lease has ended, with the same id and body. [I6]
 */
export function openDelivery(options: DeliveryOptions): Delivery {
  const { outbox, deliveries, clock, logger, metrics } = options
  const leaseMs = options.leaseMs ?? limits.webhookLeaseMs
  const post = openEgress({
    destinations: options.destinations,
    resolve: options.resolve ?? openResolve(),
    timeoutMs: options.timeoutMs ?? limits.webhookTimeoutMs,
  })
  const underWay = new Map<string, number>()
  const attempts = new Set<Promise<void>>()
  const aborting = new AbortController()
  // One listener an attempt, bounded by the attempts: not a leak.
  setMaxListeners(0, aborting.signal)
  let finished: AttemptRecord[] = []
  let brokenOff: ClaimedDelivery[] = []

  const deliver = loop({ name: 'delivery', work: round, idleMs: deliverIdleMs, logger })
  const relayed = (): void => deliver.nudge()
  const relaying = loop({
    name: 'relay',
    work: () => relay({ outbox, clock, logger, relayed }),
    idleMs: relayIdleMs,
    logger,
  })
  const tidying = loop({ name: 'delivery tidying', work: tidy, idleMs: tidyIdleMs, logger })
  return { start, nudge: relaying.nudge, stop }

  function start(): void {
    for (const part of [relaying, deliver, tidying]) part.start()
  }

  async function stop(graceMs = 3_000): Promise<void> {
    await Promise.all([relaying.stop(), deliver.stop(), tidying.stop()])
    const timer = setTimeout(() => aborting.abort(), graceMs)
    await Promise.all(attempts)
    clearTimeout(timer)
    await writeDown().catch((error: unknown) => {
      // Their leases end by themselves: the attempts are then made once more.
      logger.warn({ err: error }, 'attempts could not be written down')
    })
  }

  /**
   * 1. Write down what has finished. A crash before it repeats those attempts when the leases end.
   * 2. Claim, as far as there is room. A crash after it delays the claimed by a lease.
   * 3. Send. Nobody waits for it here: each attempt ends in a nudge.
   */
  async function round(): Promise<boolean> {
    await writeDown()
    const room = limits.webhookAttemptsMax - attempts.size
    if (room <= 0) return false
    const claims = await deliveries.claim({
      at: clock.now(),
      limit: Math.min(room, claimsMax),
      perEndpoint: perEndpoint(attempts.size),
      underWay,
      leaseMs,
    })
    for (const claim of claims) send(claim)
    // A short claim emptied what there is room for; the next finished attempt asks again.
    return claims.length > 0
  }

  async function writeDown(): Promise<void> {
    const [records, freed] = [finished, brokenOff]
    finished = []
    brokenOff = []
    try {
      if (records.length > 0) await deliveries.record(records)
      if (freed.length > 0) await deliveries.release(freed)
    } catch (error) {
      finished = [...records, ...finished]
      brokenOff = [...freed, ...brokenOff]
      throw error
    }
    for (const { outcome } of records) metrics.attempted(outcome ?? 'failed')
  }

  function send(claim: ClaimedDelivery): void {
    const { webhookId } = claim
    underWay.set(webhookId, (underWay.get(webhookId) ?? 0) + 1)
    const sending = carryOut(claim).finally(() => {
      attempts.delete(sending)
      const left = (underWay.get(webhookId) ?? 1) - 1
      if (left === 0) underWay.delete(webhookId)
      else underWay.set(webhookId, left)
      deliver.nudge()
    })
    attempts.add(sending)
  }

  async function carryOut(claim: ClaimedDelivery): Promise<void> {
    await turn(claim.waitMs, aborting.signal)
    const record = await attempt({ ...options, post }, claim, aborting.signal)
    if (record === null) brokenOff.push(claim)
    else finished.push(record)
    if (record?.outcome === 'given_up') {
      const { messageId, webhookId, attempt: number } = claim
      logger.warn({ messageId, webhookId, attempts: number }, 'a delivery was given up')
    }
  }

  async function tidy(): Promise<boolean> {
    metrics.pending(await deliveries.tidy())
    return false
  }
}

/**
 * How many attempts one endpoint may have under way. Past half of the whole, one each: endpoints that
 * hang fill what they have, and must leave room for all others. [hazard 60]
 */
function perEndpoint(underWay: number): number {
  return underWay < limits.webhookAttemptsMax / 2 ? limits.webhookAttemptsPerEndpointMax : 1
}

/** Waits for a rate-limited attempt's turn; an abort ends the waiting. */
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
