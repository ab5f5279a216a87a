import { takesChanges } from '../parts/store/postgres/connection/health.ts'
import { brokenPromises } from '../parts/store/postgres/connection/promises.ts'
import type { Check } from '../runtime/checks.ts'
import { degraded, down, fine, worstOf } from '../runtime/checks.ts'
import type { EngineThread, LoadingEngine } from '../runtime/engine-thread.ts'
import { sharedSignal } from '../runtime/shared-signal.ts'
import type { Instant } from '../std/instant.ts'
import { openMainDedupe } from './dedupe.ts'
import { openEdge } from './edge.ts'
import type { MainLog } from './log.ts'
import { assertLogSettings, openMainLog } from './log.ts'
import { needsLog } from './log-roles.ts'
import type { Addresses, EngineData, MainNeeds } from './parts.ts'

export interface ComposeNeeds extends MainNeeds {
  /** Resolves once what a first start makes is there: nothing is served before. */
  readonly prepared: Promise<void>
  readonly engine: LoadingEngine
}

/** What is running once everything is composed. */
export interface Composed {
  readonly engine: EngineThread
  readonly addresses: Addresses | null
}

/**
 * Opens the parts of the main thread in the order in which they need each other: log and dedupe,
 * then the engine that reads them, and the edge last, so that nothing is accepted before it can be
 * measured. They stop in reverse order: the edge finishes what it has accepted while everything
 * else still runs.
 */
export async function compose(needs: ComposeNeeds): Promise<Composed> {
  const { roles, checks } = needs
  const log = needsLog(roles) ? await openMainLog(needs) : null
  if (log === null) await assertLogSettings(needs)
  const { filter, port } = await openMainDedupe(needs)
  const [sharedLog, measured] = [log?.shared ?? null, sharedSignal()]
  const engine = await openEngine(needs, { sharedLog, measured, dedupePort: port })
  await needs.prepared
  if (!roles.includes('http') || log === null) return { engine, addresses: null }
  checks.register('log', () => accepting(log))
  registerStore(needs)
  return {
    engine,
    addresses: await openEdge(needs, {
      ...log,
      filter,
      news: { signal: measured, waitMs: sharedLog === null ? othersMs : aloneMs },
      reading: () => engine.reading(),
      changed: () => engine.nudge(),
    }),
  }
}

/**
 * How long to wait for the signal that more is measured, in ms. On an embedded log nobody else
 * measures.
 */
const [aloneMs, othersMs] = [50, 8]

async function openEngine(
  needs: ComposeNeeds,
  handed: Pick<EngineData, 'sharedLog' | 'measured' | 'dedupePort'>,
): Promise<EngineThread> {
  const { config, store, secretsKey, timeCells, logger, checks, life, died } = needs
  const { roles } = needs
  const data: EngineData = {
    config,
    databaseUrl: store.url,
    secretsKey,
    roles,
    timeCells,
    ...handed,
  }
  const engine = await needs.engine.start({ data, moved: handed.dedupePort, logger, died })
  life.own('engine', (withinMs) => engine.stop(withinMs))
  const accepts = roles.includes('http')
  checks.register('engine', async () => {
    const worst = worstOf(await engine.checks())
    // A process that accepts events is ready even so: they are safe in the log, whatever measuring
    // waits for.
    return accepts && worst.state === 'down' ? degraded(worst.reason ?? 'It waits.') : worst
  })
  return engine
}

/** Nothing can be accepted while the log is away, or full. */
async function accepting({ log, reader }: MainLog): Promise<Check> {
  try {
    await reader.bounds(0)
  } catch {
    return down('The event log does not answer.')
  }
  const why = log.lacks?.() ?? null
  return why === null ? fine : down(why)
}

/**
 * While the store is away, cached keys and customers are used for MAX_STALE.
 * [machines#backpressure]
 */
function registerStore({ config, store, clock, checks }: MainNeeds): void {
  let awaySince: Instant | null = null
  const ask = async () => {
    const changes = await takesChanges(store.db)
    awaySince = null
    const broken = await brokenPromises(store.db, config.databaseAllowOff)
    if (broken !== null) return degraded(broken)
    return changes
      ? fine
      : degraded('The database only reads: all but events and reads is refused.')
  }
  checks.register('store', ask, () => {
    const reason = 'The database does not answer.'
    awaySince ??= clock.now()
    return clock.now() - awaySince <= config.maxStale ? degraded(reason) : down(reason)
  })
}
