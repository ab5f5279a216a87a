import { streamSeats } from '../edge/api/stream-seats.ts'
import { webhookStream } from '../edge/api/webhook-stream.ts'
import type { Route } from '../edge/http/route.ts'
import { limits } from '../limits.ts'
import { streamLimits } from '../operations/webhooks/stream-limits.ts'
import { openStreamTails } from '../operations/webhooks/stream-tails.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import { webhookStreams } from '../parts/store/postgres/telling/webhook-streams.ts'
import type { WebhookStreams } from '../parts/store/webhook-streams.ts'
import { openShares } from '../runtime/shares.ts'
import type { MainNeeds } from './parts.ts'

/**
 * The route of the streams, on connections of their own: readers that catch up must hold up neither
 * requests nor those that wait for what happens now.
 */
export function streamRoute(needs: MainNeeds): Route {
  const { config, store, clock, newId, logger, metrics, life } = needs
  const db = openDb({
    url: store.url,
    connectionsMax: streamLimits.connectionsMax,
    name: 'sluice streams',
    deadlineMs: limits.edgeStatementMs,
    allowedOff: config.databaseAllowOff,
  })
  life.own('stream connections', () => db.close())
  const reads = openShares({
    total: streamLimits.readsMax,
    each: streamLimits.businessReadsMax,
    waitMs: streamLimits.waitMs,
    waitingMax: streamLimits.businessOpenMax,
  })
  const own = webhookStreams(db)
  const streams: WebhookStreams = {
    ...own,
    after(scope, number, wanted) {
      const enter = () => reads.enter(scope.businessId)
      return webhookStreams(db.within({ enter, signal: null })).after(scope, number, wanted)
    },
  }
  const tails = openStreamTails({ streams, clock, newId, logger })
  life.own('streams', () => tails.stop())
  const seats = streamSeats()
  metrics.webhookStreams.sampled(() => seats.taken)
  return webhookStream({ streams, tails, clock, newId, logger, seats })
}
