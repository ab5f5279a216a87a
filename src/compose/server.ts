import type { Config } from '../config.ts'
import type { Checks } from '../runtime/checks.ts'
import type { Ending } from '../runtime/ending.ts'
import type { LoadingEngine } from '../runtime/engine-thread.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import type { Logger } from '../runtime/logger.ts'
import type { EdgeMetrics } from '../runtime/metrics.ts'
import { secretsKeyOf } from '../runtime/secrets-key.ts'
import type { Start } from '../runtime/wait-for-servers.ts'
import type { NewId } from '../std/id.ts'
import type { Starting } from './embedded.ts'
import type { Role } from './parts.ts'
import type { Composed } from './process.ts'
import { compose } from './process.ts'
import { keepOurRelease } from './release.ts'
import type { Store } from './store.ts'
import { openServerStore } from './store.ts'
import { openTime } from './time.ts'

export interface ServerNeeds {
  readonly config: Config
  readonly roles: readonly Role[]
  readonly logger: Logger
  /** Called when the store is open, and nothing is served yet. */
  readonly prepare: (store: Store) => Promise<void>
  readonly newId: NewId
  readonly metrics: EdgeMetrics
  readonly checks: Checks
  readonly life: Lifecycle
  readonly ending: Ending
  readonly start: Start
  readonly engine: LoadingEngine
  /** Null: the store is on another PostgreSQL. */
  readonly starting: Starting | null
}

/** Opens the store, and composes everything else on it. */
export async function composeServer(needs: ServerNeeds): Promise<Composed> {
  const { config, ending, logger, metrics, checks, life, newId, roles, start } = needs
  const ground = { config, logger, life }
  const store = await openServerStore(ground, start, needs.starting)
  ending.onDeath(() => store.postgres?.stop(5_000))
  keepOurRelease(ground, store)
  const secretsKey = await secretsKeyOf(config.dataDir, config.secretsKey)
  ending.signal.throwIfAborted()
  // Nothing that follows needs it before something is served.
  const prepared = needs.prepare(store)
  const isOver = prepared.catch(() => undefined)
  try {
    const time = await openTime({ store, logger, metrics, checks, life })
    return await compose({
      ...ground,
      clock: time.clock,
      timeCells: time.cells,
      roles,
      store,
      prepared,
      engine: needs.engine,
      secretsKey,
      newId,
      metrics,
      checks,
      start,
      died: ending.died,
    })
  } finally {
    // A start that fails must not leave half of it, which the next one would take for all.
    await isOver
  }
}
