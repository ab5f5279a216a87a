import type { EngineParts, Ground } from './compose-parts.ts'
import { aloneIn } from './engine/leased.ts'
import type { Loop } from './engine/loop.ts'
import type { Delivery } from './engine/webhooks/delivery.ts'
import { openDelivery } from './engine/webhooks/delivery.ts'
import { openTopic } from './engine/webhooks/topic.ts'
import { openKafkaCreditEvents } from './parts/credit-events/kafka/credit-events.ts'
import { announcements } from './parts/store/postgres/announcements.ts'
import { deliveries } from './parts/store/postgres/deliveries.ts'
import { leases } from './parts/store/postgres/leases.ts'
import { outbox } from './parts/store/postgres/outbox.ts'
import { destinations } from './rules/facts/destination.ts'
import { openSecrets } from './runtime/secrets.ts'

/** Facts → webhooks, and the topic where there is Kafka. */
export function openTelling(parts: EngineParts, ground: Ground): Delivery {
  const { data, clock, logger, metrics, life } = parts
  const { db } = ground
  const delivery = openDelivery({
    outbox: outbox(db),
    topic: openTopicOf(parts, ground),
    deliveries: deliveries(db),
    secrets: openSecrets(data.secretsKey),
    destinations: destinations(data.config.webhookAllowPrivate),
    clock,
    logger,
    metrics: {
      attempted: (outcome) => metrics.webhookAttempts.add(1, { outcome }),
      pending: (count) => metrics.webhookPending.set(count, {}),
    },
  })
  life.own('webhooks', (withinMs) => delivery.stop(withinMs / 2))
  delivery.start()
  return delivery
}

function openTopicOf({ data, logger, life }: EngineParts, { db, holder }: Ground): Loop | null {
  const { kafka } = data.config
  if (kafka === null) return null
  const creditEvents = openKafkaCreditEvents({ kafka, logger })
  life.own('credit events', () => creditEvents.close())
  const alone = aloneIn(leases(db), holder)
  return openTopic({ announcements: announcements(db), creditEvents, alone, logger })
}
