import assert from 'node:assert/strict'
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { openEngineDrivers } from './compose/engine-drivers.ts'
import type { EngineData } from './compose/parts.ts'
import { composeEngine } from './compose/wiring/engine.ts'
import { limits } from './limits.ts'
import { openChecks } from './runtime/checks.ts'
import { keptClock } from './runtime/clock.ts'
import type { FromEngine, ToEngine, ToUnstarted } from './runtime/engine-thread.ts'
import { randomIds } from './runtime/ids.ts'
import { lifecycle } from './runtime/lifecycle.ts'
import { openLogger } from './runtime/logger.ts'
import { engineMetrics } from './runtime/metrics.ts'

// The engine thread: billing, delivery and archive, apart from the edge, so that a slow commit does
// not delay answers. An error that is thrown here ends the thread, and with it the process.
assert(parentPort !== null)
const port = parentPort

/** No `await` of the module itself, which no chunk may have: see start-chunks.js. */
export const engineStarted = start()

async function start(): Promise<void> {
  // The main thread hands it over once it has everything; the code was loaded meanwhile.
  const [data] = (await once(port, 'message')) as [EngineData | ToUnstarted]
  if ('kind' in data) process.exit(0)
  const logger = openLogger({ level: data.config.logLevel, part: 'engine' })
  const life = lifecycle(logger)
  const metrics = engineMetrics()
  // Shorter than for the engine as a whole, so that the check that does not answer can be named.
  const checks = openChecks(limits.engineCheckMs)

  port.on('message', (message: ToEngine) => void receive(message))
  const [clock, newId] = [keptClock(data.timeCells), randomIds()]
  const ground = { clock, newId, logger, metrics, checks, life }
  const engine = await composeEngine(ground, await openEngineDrivers({ ...ground, data }))
  send({ kind: 'started' })

  async function receive(message: ToEngine): Promise<void> {
    if (message.kind === 'stop') {
      await life.stop(message.withinMs)
      send({ kind: 'stopped' })
      // Whatever the parts left open must not keep the thread alive.
      process.exit(0)
    }
    if (message.kind === 'nudge') return engine.nudge()
    const { id } = message
    if (message.what === 'metrics') send({ kind: 'metrics', id, text: await metrics.text() })
    else if (message.what === 'reading') {
      const reading = { text: await metrics.text(), billed: metrics.billedOf.now() }
      send({ kind: 'reading', id, reading })
    } else send({ kind: 'checks', id, results: await checks.run() })
  }
}

function send(message: FromEngine): void {
  port.postMessage(message)
}
