import { byteBudget } from '../../src/edge/http/budget.ts'
import { parse } from '../../src/edge/http/parse.ts'
import type { Route } from '../../src/edge/http/route.ts'
import { route } from '../../src/edge/http/route.ts'
import { openHttpServer } from '../../src/edge/http/server.ts'
import { loadHttpEngine } from '../../src/edge/http/uws.ts'
import { inspect, refuseOutsideWindow, refuseRepeated } from '../../src/edge/ingest/inspect.ts'
import { timestamps } from '../../src/edge/ingest/timestamp.ts'
import { limits } from '../../src/limits.ts'
import { memoryCounters } from '../../src/parts/counters/memory/counters.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { openLogger } from '../../src/runtime/logger.ts'
import { minute } from '../../src/std/instant.ts'
import { usageEventIngestParams } from '../../src/wire/usage-event.ts'

// "Parse": our own edge, which only reads, parses and validates, and then forgets.
// [bench/README.md#whom-it-is-compared-with]
const nothing = (): void => undefined
const clockwork = timestamps()
const ingest: Route = {
  ...route('POST', '/events/ingest', 'write', async ({ at, body }) => {
    const { events } = parse(usageEventIngestParams, body)
    const inspected = inspect(events, at, clockwork)
    refuseRepeated(inspected.ids)
    refuseOutsideWindow(inspected, [...events.keys()], { at, ageMax: limits.eventAgeMax })
    return { status: 200, body: { ingested_count: events.length } }
  }),
  bodyTexts: 'any',
}
const server = await openHttpServer({
  engine: loadHttpEngine(),
  host: '127.0.0.1',
  listeners: [{ port: 0, mode: 'test' }],
  routes: [ingest],
  keys: {
    mayExist: () => true,
    find: async () => ({
      keyId: 'key_bench',
      businessId: 'bus_bench',
      mode: 'test',
      access: 'write',
      rateTier: 'unlimited',
      clockAheadUs: 0,
      backfillUs: 0,
      revoked: false,
    }),
  },
  maxStale: 15 * minute,
  budget: byteBudget(limits.inflightBytesMax),
  clock: systemClock(),
  newId: randomIds(),
  logger: openLogger({ level: 'silent', part: 'parse' }),
  counters: memoryCounters({ nowMs: () => Math.floor(performance.now()) }),
  trustedProxies: [],
  corsOrigins: [],
  metrics: { request: nothing, rateLimited: nothing },
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: `http://127.0.0.1:${server.ports[0]}` })
