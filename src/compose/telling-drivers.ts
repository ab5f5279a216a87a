import { openEgress } from '../engine/webhooks/egress.ts'
import { openResolve } from '../engine/webhooks/resolve.ts'
import { limits } from '../limits.ts'
import { openKafkaCreditEvents } from '../parts/credit-events/kafka/credit-events.ts'
import type { CreditEvents } from '../parts/credit-events/port.ts'
import { announcements } from '../parts/store/postgres/telling/announcements.ts'
import { deliveries } from '../parts/store/postgres/telling/deliveries.ts'
import { outbox } from '../parts/store/postgres/telling/outbox.ts'
import { webhookStreams } from '../parts/store/postgres/telling/webhook-streams.ts'
import { destinations } from '../rules/facts/destination.ts'
import { openSecrets } from '../runtime/secrets.ts'
import { openSignedTokens } from '../runtime/signed-token.ts'
import { downloadLinkPurpose } from '../wire/download-link.ts'
import { invoiceLinkPurpose } from '../wire/invoice-link.ts'
import { baseUrl } from './base-url.ts'
import type { EngineStore, EngineThreadNeeds } from './parts.ts'
import type { TellingNeeds } from './wiring/telling.ts'

/**
 * How often to look for facts that others have committed. Our own edge nudges us. On a store of our
 * own the only others are commands of the operator; elsewhere whole processes have no other way to
 * tell us.
 */
const lookMs = { alone: 250, amongOthers: 50 }

/** There is a topic only where there is Kafka. */
export function tellingDrivers(needs: EngineThreadNeeds, { db, alone }: EngineStore): TellingNeeds {
  const { config, secretsKey } = needs.data
  const creditEvents = openCreditEvents(needs)
  const { sign } = openSignedTokens(secretsKey, invoiceLinkPurpose)
  const { sign: signDownload } = openSignedTokens(secretsKey, downloadLinkPurpose)
  const topic = { announcements: announcements(db), alone }
  return {
    outbox: outbox(db),
    deliveries: deliveries(db),
    linksOf: (mode) => ({ base: baseUrl(config, mode), mode, sign, signDownload }),
    streams: webhookStreams(db),
    secrets: openSecrets(secretsKey),
    post: openEgress({
      destinations: destinations(config.webhookAllowPrivate, config.host),
      resolve: openResolve(),
      timeoutMs: limits.webhookTimeoutMs,
    }),
    lookMs: config.databaseUrl === null ? lookMs.alone : lookMs.amongOthers,
    leaseMs: limits.webhookLeaseMs,
    topic: creditEvents === null ? null : { ...topic, creditEvents },
    retention: config.webhookRetention,
  }
}

/** Connects only when there is something to publish, so webhooks go out while Kafka is away. */
function openCreditEvents({ data, logger, clock, life }: EngineThreadNeeds): CreditEvents | null {
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
