import { aloneIn } from '../engine/alone-by-lease.ts'
import type { Delivery } from '../engine/webhooks/delivery.ts'
import { openDelivery } from '../engine/webhooks/delivery.ts'
import { openKeeping } from '../engine/webhooks/keeping.ts'
import { openTopic } from '../engine/webhooks/topic.ts'
import { limits } from '../limits.ts'
import { openKafkaCreditEvents } from '../parts/credit-events/kafka/credit-events.ts'
import type { CreditEvents } from '../parts/credit-events/port.ts'
import { announcements } from '../parts/store/postgres/telling/announcements.ts'
import { deliveries } from '../parts/store/postgres/telling/deliveries.ts'
import { leases } from '../parts/store/postgres/telling/leases.ts'
import { outbox } from '../parts/store/postgres/telling/outbox.ts'
import { destinations } from '../rules/facts/destination.ts'
import type { Loop } from '../runtime/loop.ts'
import { openSecrets } from '../runtime/secrets.ts'
import { formatInstant } from '../std/instant.ts'
import type { EngineParts, Ground } from './parts.ts'

/** Facts → webhooks, and the topic where there is Kafka. */
export function openTelling(parts: EngineParts, ground: Ground): Delivery {
  const { data, clock, logger, metrics, life } = parts
  const { db } = ground
  const delivery = openDelivery({
    outbox: outbox(db),
    topic: openTopicOf(parts, ground),
    deliveries: deliveries(db),
    secrets: openSecrets(data.secretsKey),
    destinations: destinations(data.config.webhookAllowPrivate, data.config.host),
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
  keepFor(parts, ground)
  return delivery
}

function keepFor({ data, clock, logger, metrics, life }: EngineParts, { db }: Ground): void {
  const keeping = openKeeping({
    deliveries: deliveries(db),
    retention: data.config.webhookRetention,
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

function openTopicOf(parts: EngineParts, { db, holder }: Ground): Loop | null {
  const creditEvents = openCreditEvents(parts)
  if (creditEvents === null) return null
  const alone = aloneIn(leases(db), holder)
  const { logger } = parts
  return openTopic({ announcements: announcements(db), creditEvents, alone, logger })
}

/** Connects only when there is something to publish, so webhooks go out while Kafka is away. */
function openCreditEvents({ data, logger, clock, life }: EngineParts): CreditEvents | null {
  const { kafka } = data.config
  if (kafka === null) return null
  let connected: Promise<CreditEvents> | null = null
  const creditEvents: CreditEvents = {
    async publish(events) {
      connected ??= openKafkaCreditEvents({
        kafka,
        logger,
        clock,
        budgetBytes: limits.packerBytesMax,
      })
      const open = await connected.catch((error: unknown) => {
        connected = null
        throw error
      })
      await open.publish(events)
    },
    close: async () => (await connected?.catch(() => null))?.close(),
  }
  life.own('credit events', creditEvents.close)
  return creditEvents
}
