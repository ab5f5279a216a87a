import { startServerPostgres, takeServerDataDir } from './compose/embedded.ts'
import { assertWholeLog } from './compose/log-roles.ts'
import type { Addresses, Role } from './compose/parts.ts'
import type { Composed } from './compose/process.ts'
import type { Store } from './compose/store.ts'
import type { Config } from './config.ts'
import { limits } from './limits.ts'
import { down, fine, openChecks } from './runtime/checks.ts'
import type { Ending } from './runtime/ending.ts'
import { awaitEnd } from './runtime/ending.ts'
import { loadEngine } from './runtime/engine-thread.ts'
import { randomIds } from './runtime/ids.ts'
import { lifecycle } from './runtime/lifecycle.ts'
import type { Logger } from './runtime/logger.ts'
import { edgeMetrics, mergeExpositions } from './runtime/metrics.ts'
import { openOpsServer } from './runtime/ops-server.ts'
import { assertPortFree } from './runtime/ports.ts'
import type { Start } from './runtime/wait-for-servers.ts'

export interface ServeNeeds {
  readonly config: Config
  readonly roles: readonly Role[]
  readonly logger: Logger
  /** Called when the store is open, and nothing is served yet. */
  readonly prepare: (store: Store) => Promise<void>
  /** Called once everything runs. */
  readonly announce: (ready: Ready) => void
}

export interface Ready {
  readonly addresses: Addresses | null
  readonly opsPort: number
}

/**
 * Runs until SIGTERM or SIGINT, then stops accepting, finishes what is in flight, and stops what it
 * has started. Answers the exit status.
 *
 * @throws Refusal when something stands in the way of starting.
 */
export async function serve(needs: ServeNeeds): Promise<number> {
  const { logger } = needs
  const life = lifecycle(logger)
  const ending = awaitEnd(logger)
  let stopMs: number = limits.shutdownMs - limits.shutdownSpareMs
  try {
    const whole = run(needs, life, ending).then(() => true)
    // A start may hang on a server that does not answer; stopping does not wait for that.
    if (!(await Promise.race([whole, cutShort(ending.signal)]))) stopMs -= limits.startCutMs
    const end = await ending.ended
    logger.info({ reason: end.reason }, 'Stopping.')
    return end.status
  } catch (error) {
    // A signal during the start cuts it short, and a failure that follows from that is none.
    if (ending.signal.aborted && !ending.failed()) return 0
    throw error
  } finally {
    const unclean = await life.stop(stopMs)
    if (unclean.length === 0) logger.info({}, 'Stopped.')
  }
}

/** False some time after the signal: how long a start may take to end by itself. */
function cutShort(signal: AbortSignal): Promise<boolean> {
  return new Promise((done) => {
    signal.addEventListener('abort', () => void setTimeout(done, limits.startCutMs, false).unref())
  })
}

async function run(
  needs: ServeNeeds,
  life: ReturnType<typeof lifecycle>,
  ending: Ending,
): Promise<void> {
  const { config, logger } = needs
  const [newId, metrics, checks] = [randomIds(), edgeMetrics(), openChecks()]
  const ground = { config, logger, life }
  assertWholeLog(config, needs.roles)
  if (isEmbedded(config)) await takeServerDataDir(ground)
  for (const setting of portsOf(config)) await assertPortFree(setting)

  let composed: Composed | null = null
  let awaited: string | null = null
  const start: Start = {
    signal: ending.signal,
    waitsFor: (what) => {
      awaited = what
    },
  }
  checks.register('server', () => {
    if (ending.signal.aborted) return down('It is stopping.')
    if (composed !== null) return fine
    return down(awaited === null ? 'It is starting.' : `The start waits for ${awaited}.`)
  })
  const { opsHost: host, opsPort } = config
  const ops = await openOpsServer({ host, port: opsPort, checks, metrics: allMetrics })
  life.own('ops server', () => ops.close())

  const { databaseUrl } = config
  const starting = databaseUrl === null ? startServerPostgres(ground, ending.signal) : null
  // The code of engine and server is most of all; it is loaded while PostgreSQL starts.
  await starting?.begun
  const engine = loadEngine(new URL('./main-engine.js', import.meta.url))
  life.own('engine code', () => engine.leave())
  const { composeServer } = await import('./compose/server.ts')
  composed = await composeServer({
    ...needs,
    engine,
    newId,
    metrics,
    checks,
    life,
    ending,
    start,
    starting,
  })
  if (ending.signal.aborted) return
  needs.announce({ addresses: composed.addresses, opsPort: ops.port })

  async function allMetrics(): Promise<string> {
    const texts = await Promise.all([metrics.text(), composed?.engine.metrics() ?? ''])
    return mergeExpositions(texts)
  }
}

/** Whether this process writes anything to the data directory. */
const isEmbedded = ({ kafka, redis, databaseUrl }: Config): boolean =>
  kafka === null || redis === null || databaseUrl === null

function portsOf({ host, hosts, port, livePort, opsHost, opsPort }: Config) {
  const live = hosts === null ? [{ name: 'LIVE_PORT', host, port: livePort }] : []
  return [{ name: 'PORT', host, port }, ...live, { name: 'OPS_PORT', host: opsHost, port: opsPort }]
}
