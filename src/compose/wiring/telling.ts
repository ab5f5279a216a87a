import type { Delivery, DeliveryNeeds } from '../../engine/webhooks/delivery.ts'
import { openDelivery } from '../../engine/webhooks/delivery.ts'
import type { KeepingNeeds } from '../../engine/webhooks/keeping.ts'
import { openKeeping } from '../../engine/webhooks/keeping.ts'
import type { TopicNeeds } from '../../engine/webhooks/topic.ts'
import { openTopic } from '../../engine/webhooks/topic.ts'
import type { Duration } from '../../std/instant.ts'
import { formatInstant } from '../../std/instant.ts'
import type { EngineNeeds } from './ground.ts'

export interface TellingNeeds
  extends Pick<
    DeliveryNeeds,
    'outbox' | 'deliveries' | 'linksOf' | 'lookMs' | 'secrets' | 'post' | 'leaseMs'
  > {
  readonly streams: KeepingNeeds['streams']
  /** Null: facts are told in webhooks alone. */
  readonly topic: Omit<TopicNeeds, 'logger'> | null
  /** How long messages and attempts can be read and sent again. */
  readonly retention: Duration
}

/** Facts → webhooks, and the topic where there is one. */
export function openTelling(ground: EngineNeeds, needs: TellingNeeds): Delivery {
  const { clock, logger, metrics, life } = ground
  const { topic, retention, streams, ...parts } = needs
  const delivery = openDelivery({
    ...parts,
    topic: topic === null ? null : openTopic({ ...topic, logger }),
    clock,
    logger,
    metrics: {
      attempted: (outcome) => metrics.webhookAttempts.add(1, { outcome }),
      pending: ({ deliveries: count, backlog }) => {
        metrics.webhookPending.set(count, {})
        metrics.webhookBacklog.set(backlog, {})
      },
    },
  })
  life.own('webhooks', (withinMs) => delivery.stop(withinMs / 2))
  delivery.start()
  keepFor(ground, needs)
  return delivery
}

function keepFor(
  { clock, logger, metrics, life }: EngineNeeds,
  { deliveries, retention, streams }: TellingNeeds,
): void {
  const keeping = openKeeping({
    deliveries,
    streams,
    retention,
    clock,
    logger,
    dropped: (rows, before) => {
      logger.info({ ...rows, before: formatInstant(before) }, 'webhooks past their retention went')
      for (const [table, count] of Object.entries(rows)) metrics.droppedRows.add(count, { table })
    },
  })
  life.own('webhook retention', () => keeping.stop())
  keeping.start()
}
