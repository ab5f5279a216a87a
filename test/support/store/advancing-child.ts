import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { openCommandStore, repositories } from '../../../src/compose/store.ts'
import { readConfig } from '../../../src/config.ts'
import { advanceClock } from '../../../src/operations/clock/advance-clock.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { lifecycle } from '../../../src/runtime/lifecycle.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import { parseInstant } from '../../../src/std/instant.ts'
import { free } from '../process/server.ts'

// Advances the test clock of a business as a process of its own, at the moment that is given, up to
// which everything is measured: URL BUSINESS BY MOMENT. Says the clock's new time.
const [, , url = '', businessId = '', by = '', moment = ''] = process.argv
const now = parseInstant(moment)
assert(now !== null)

const config = readConfig({
  ...free,
  DATABASE_URL: url,
  SECRETS_KEY: randomBytes(32).toString('base64'),
})
const logger = openLogger({ level: 'warn', part: 'test' })
const life = lifecycle(logger)
const store = await openCommandStore({ config, logger, life }, false)
const needs = {
  ...store,
  ...repositories(store.db, config),
  clock: { now: () => now, believed: () => now },
  newId: randomIds(),
  wrote: () => undefined,
  logger,
  measuring: { watermark: async () => now },
}
process.stdout.write(`${await advanceClock(needs, { businessId, mode: 'test' }, by)}\n`)
await life.stop(10_000)
