import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Site } from '../../bench/harness/site.ts'
import { attachPostgres } from '../../src/parts/store/embedded/postgres.ts'
import type { Db } from '../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../src/parts/store/postgres/connection/client.ts'
import type { Statement } from '../../src/parts/store/postgres/connection/sql.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import type { Fault } from './fault.ts'

/**
 * What only a bug of ours could do, done to rows by hand and undone again: books that contradict
 * each other.
 */
export function bentBooks(site: Site): readonly Fault[] {
  return [
    {
      name: 'a total is one event short',
      alerts: ['SluiceEventsUnaccounted'],
      strike: () => bent(site, { bend: totalsBy(-1), mend: totalsBy(1), ms: 12_000 }),
    },
    {
      name: 'a partition is halted, and what comes to it waits',
      alerts: ['SluicePartitionHalted', 'SluiceLagGrows'],
      strike: () => haltedFor(site, { ms: 25_000, until: async () => (await lagOf(site)) > 4_000 }),
    },
  ]
}

/** For how long a partition is halted. */
interface Halt {
  /** At least. */
  readonly ms: number
  /** Not before this holds, on a machine that is slow: but not for more than five times as long. */
  readonly until?: () => Promise<boolean>
  /** Done again and again meanwhile. */
  readonly also?: Statement
}

/** Halts a partition for a while, and then lets it go on. */
export async function haltedFor(site: Site, { ms, until, also }: Halt): Promise<void> {
  const from = performance.now()
  const isOver = async (): Promise<boolean> => {
    const passed = performance.now() - from
    if (passed < ms) return false
    return until === undefined || passed > 5 * ms || (await until())
  }
  await inBooks(site, async (db) => {
    await db.query(halted)
    while (!(await isOver())) {
      if (also !== undefined) await db.query(also)
      await sleep(100)
    }
    await db.query(resumed)
  })
}

/** How many events are in the log and not measured. */
async function lagOf(site: Site): Promise<number> {
  const text = await (await fetch(`${site.opsUrl}/metrics`)).text()
  const lags = text.matchAll(/^sluice_log_lag_events\{.*\} (\S+)$/gm)
  return [...lags].reduce((sum, [, lag]) => sum + Number(lag), 0)
}

const totalsBy = (events: number): Statement => sql`
  update checkpoints set billed = billed + ${events}
  where partition = (select min(partition) from checkpoints)
`

/** The record that was measured last is another one in the log, so nothing lets it go on. */
const halted = sql`
  update checkpoints
  set halted = 'for the alert', halted_at = now(), digest = digest || decode('00', 'hex')
  where partition = (select min(partition) from checkpoints)
`

/** Does nothing where nothing is halted. */
export const resumed = sql`
  update checkpoints
  set halted = null, halted_at = null, digest = substring(digest from 1 for 16)
  where halted is not null
`

interface Bending {
  readonly bend: Statement
  readonly mend: Statement
  readonly ms: number
}

/** One statement bends the books, and another one mends them after `ms`. */
async function bent(site: Site, { bend, mend, ms }: Bending): Promise<void> {
  await inBooks(site, (db) => db.query(bend))
  await sleep(ms)
  await inBooks(site, (db) => db.query(mend))
}

/** Asks the PostgreSQL of a site that runs. */
export async function inBooks<T>(site: Site, work: (db: Db) => Promise<T>): Promise<T> {
  const url = await attachPostgres(join(site.dataDir, 'postgres'))
  if (url === null) throw new Error('The site has no PostgreSQL.')
  const db = await openDb({ url, connectionsMax: 1, name: 'alerts' })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
