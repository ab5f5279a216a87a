import { limits } from '../../limits.ts'
import type { Deliveries } from '../../parts/store/deliveries.ts'
import type { Outbox } from '../../parts/store/outbox.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Loop } from '../../runtime/loop.ts'
import { loop } from '../../runtime/loop.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import type { AttemptNeeds } from './attempt.ts'
import type { RelayNeeds } from './relay.ts'
import { relay } from './relay.ts'
import type { WebhookMetrics } from './sender.ts'
import { openSender } from './sender.ts'

export interface DeliveryNeeds extends Pick<RelayNeeds, 'linksOf'> {
  readonly outbox: Outbox
  /** Publishes facts on the topic as well; null: there is no topic. */
  readonly topic: Loop | null
  readonly deliveries: Deliveries
  readonly secrets: Secrets
  /** Makes one request to an endpoint. */
  readonly post: AttemptNeeds['post']
  /** How often to look without a nudge for facts that others have committed. */
  readonly lookMs: number
  /** For how long a process that claims a delivery keeps the others from it. */
  readonly leaseMs: number
  /** Real time, by which schedules and signatures go. */
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: WebhookMetrics
}

export interface Delivery {
  start(): void

  /** Facts were committed: tell them now instead of at the next look. */
  nudge(): void

  /**
   * Claims nothing more, gives attempts under way `graceMs`, and frees the deliveries of those that
   * it then breaks off.
   */
  stop(graceMs?: number): Promise<void>
}

const backlogIsFull =
  `${limits.webhookBacklogMax} deliveries wait for an endpoint: more are kept and not sent until ` +
  'POST /webhooks/{id}/recover {"since"} asks for them, once it answers again'

/**
 * How often to look without a nudge for what has become due: a later try, what is to be sent again,
 * or what a process that ended had claimed.
 */
const [deliverIdleMs, tidyIdleMs] = [500, 5_000]

/**
 * Relay, delivery, tidying and the topic, one loop each. All state is in the store: whatever
 * happens to this process, a delivery is attempted again when its lease has ended, with the same id
 * and body. [guarantees#told-at-least-once]
 */
export function openDelivery(options: DeliveryNeeds): Delivery {
  const { outbox, topic, deliveries, lookMs, clock, linksOf, logger, metrics } = options
  const nudgeDelivery = (): void => delivering.nudge()
  const relayed = (): void => {
    delivering.nudge()
    topic?.nudge()
  }
  const sender = openSender({ ...options, ended: nudgeDelivery })

  const relaying = loop({
    name: 'relay',
    work: () => relay({ outbox, topic: topic !== null, clock, linksOf, logger, relayed }),
    idleMs: lookMs,
    logger,
  })
  const delivering = loop({ name: 'delivery', work: sender.round, idleMs: deliverIdleMs, logger })
  const tidying = loop({ name: 'delivery tidying', work: tidy, idleMs: tidyIdleMs, logger })
  const loops = [relaying, delivering, tidying, ...(topic === null ? [] : [topic])]
  return { start, nudge: relaying.nudge, stop }

  function start(): void {
    for (const one of loops) one.start()
  }

  async function stop(graceMs = 3_000): Promise<void> {
    await Promise.all(loops.map((one) => one.stop()))
    await sender.finish(graceMs)
  }

  async function tidy(): Promise<boolean> {
    const pending = await deliveries.tidy(clock.now(), limits.webhookBacklogMax)
    metrics.pending(pending)
    for (const webhookId of pending.filled) logger.warn({ webhookId }, backlogIsFull)
    return false
  }
}
