import type { Db } from './parts/store/postgres/client.ts'
import { openDb } from './parts/store/postgres/client.ts'
import type { Checks } from './runtime/checks.ts'
import { fine } from './runtime/checks.ts'
import type { Clock } from './runtime/clock.ts'
import type { EngineData } from './runtime/engine-thread.ts'
import type { Lifecycle } from './runtime/lifecycle.ts'
import type { Logger } from './runtime/logger.ts'
import type { EngineMetrics } from './runtime/metrics.ts'
import type { NewId } from './std/id.ts'

/** What the engine thread has before anything is composed. */
export interface EngineParts {
  readonly data: EngineData
  readonly clock: Clock
  readonly newId: NewId
  readonly logger: Logger
  readonly metrics: EngineMetrics
  readonly checks: Checks
  readonly life: Lifecycle
}

/** Opens one part of the engine; it starts at once, and `life` ends it. */
type OpenPart = (parts: EngineParts, db: Db) => Promise<void>

/**
 * What happens by itself, in the order in which it opens: measuring, then what lives on its results
 * (settling, webhooks, archive). Stopping goes the other way.
 */
const engineParts: readonly OpenPart[] = []

export async function composeEngine(parts: EngineParts): Promise<void> {
  const db = openStore(parts)
  for (const open of engineParts) await open(parts, db)
}

function openStore({ data, life, checks }: EngineParts): Db {
  const db = openDb({ url: data.databaseUrl, connectionsMax: 12, name: 'sluice engine' })
  life.own('database connections', () => db.close())
  checks.register('store', async () => {
    await db.query({ text: 'select 1', values: [] })
    return fine
  })
  return db
}
