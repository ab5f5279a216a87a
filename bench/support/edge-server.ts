import { firstStart } from '../../src/cli/first-start.ts'
import { startServerPostgres, takeServerDataDir } from '../../src/compose/embedded.ts'
import { compose } from '../../src/compose/process.ts'
import { openServerStore } from '../../src/compose/store.ts'
import { openTime } from '../../src/compose/time.ts'
import { readConfig } from '../../src/config.ts'
import { openChecks } from '../../src/runtime/checks.ts'
import { loadEngine } from '../../src/runtime/engine-thread.ts'
import { giveHeapRoom } from '../../src/runtime/heap-room.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { lifecycle } from '../../src/runtime/lifecycle.ts'
import { openLogger } from '../../src/runtime/logger.ts'
import { edgeMetrics } from '../../src/runtime/metrics.ts'
import { secretsKeyOf } from '../../src/runtime/secrets-key.ts'

// Our edge on the embedded log, with nothing that measures. `serve` refuses such roles, because
// what the edge accepts would wait for ever; here it shows the cost of the edge alone.
giveHeapRoom()
const config = readConfig()
const logger = openLogger({ level: 'warn', part: 'bench' })
const life = lifecycle(logger)
const ending = new AbortController()
process.once('SIGTERM', () => void stop())

await takeServerDataDir({ config, logger, life })
const start = { signal: ending.signal, waitsFor: () => undefined }
const starting = startServerPostgres({ config, logger, life }, ending.signal)
const store = await openServerStore({ config, logger, life }, start, starting)
const sample = await firstStart(store, logger)
const [metrics, checks] = [edgeMetrics(), openChecks()]
const time = await openTime({ store, logger, metrics, checks, life })
const { addresses } = await compose({
  config,
  roles: ['http'],
  store,
  prepared: Promise.resolve(),
  engine: loadEngine(new URL('../../src/main-engine.js', import.meta.url)),
  secretsKey: await secretsKeyOf(config.dataDir, config.secretsKey),
  clock: time.clock,
  timeCells: time.cells,
  newId: randomIds(),
  logger,
  metrics,
  checks,
  life,
  start,
  died(error) {
    throw error
  },
})
const ready = { test_url: addresses?.test ?? null, api_key: sample?.apiKey ?? null }
process.stdout.write(`${JSON.stringify(ready)}\n`)

async function stop(): Promise<void> {
  ending.abort()
  await life.stop(stopMs)
  process.exit(0)
}

const stopMs = 10_000
