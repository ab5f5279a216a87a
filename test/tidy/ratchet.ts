import type { Ratchet } from './sizes.ts'

// What was over a bound when the bound was drawn. Numbers only go down, and lines only away.

export const longFiles: Ratchet = {}

export const longFunctions: Ratchet = {}

export const manyParameters: Ratchet = {
  // Called for every event: an object each would show.
  'src/edge/ingest/ingest.ts identify': 4,
  'src/edge/ingest/lines.ts linesOf': 4,
  'src/rules/meter/route.ts routeFor': 4,
  'src/std/siphash.ts absorb': 4,
  'src/std/siphash.ts absorbBytes': 4,
  'src/std/siphash.ts absorbTail': 4,
  'src/std/siphash.ts finish': 4,
  'src/std/fingerprint.ts hashInto': 4,
  'src/std/instant.ts utcMs': 6,
  // The shape of another's interface, or of a table read row by row.
  'src/edge/http/plain.ts listen': 4,
  'src/edge/http/route.ts route': 5,
  'src/parts/dedupe/embedded/dedupe.ts check': 4,

  'src/cli/demo.ts wholeOf': 4,
  'src/operations/boundaries/end-cycle.ts endSubscriptionCycle': 4,
  'src/operations/events/list-events.ts select': 4,
  'src/operations/subscriptions/read-subscription.ts listSubscriptions': 4,
  'src/parts/store/postgres/archive/archive.ts written': 4,
  'src/rules/accounts/settle.ts causeOf': 4,
}
