import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Refusal } from '../../../../faults.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { underLock } from './lock.ts'
import type { Release } from './release.ts'
import { ourRelease } from './release.ts'
import { bringRelease, createReleases, keepRelease } from './releases.ts'

/** A database that this version cannot work with. One sentence; the process exits with 2. */
export class StoreError extends Refusal {
  override readonly name = 'StoreError'
}

export interface Migration {
  /** From 1, without gaps. */
  readonly number: number
  readonly text: string
}

export interface MigrateOptions {
  /** False: only checks, and refuses a database that lacks something. */
  readonly apply: boolean
  /** For tests: other migrations than ours, and then without our functions and triggers, too. */
  readonly migrations?: readonly Migration[]
  readonly release?: Release
}

export interface Migrated {
  /** The newest migration that the database had before; 0: none. */
  readonly from: number
  readonly to: number
}

/**
 * Brings the database up to this version: tables by migrations, each in a transaction of its own,
 * then the release's own functions and triggers, beside those of the releases that are still at
 * work. Several processes may try at once: one does it, the others find it done.
 *
 * @throws StoreError when the database is newer than the code, was migrated by other files, or
 * (with `apply` false) is older.
 */
export async function migrate(db: Db, options: MigrateOptions): Promise<Migrated> {
  const migrations = options.migrations ?? (await ourMigrations())
  const release = options.release ?? (options.migrations ? null : ourRelease)
  const from = compare(await readApplied(db), migrations)
  if (!options.apply) {
    await refuseOlder(db, { from, needs: migrations.length, release })
    return { from, to: from }
  }
  while (compare(await readApplied(db), migrations) < migrations.length) {
    await underLock(db, (tx) => applyNext(tx, migrations))
  }
  if (release !== null) await bringRelease(db, release)
  return { from, to: migrations.length }
}

interface Needed {
  readonly from: number
  readonly needs: number
  readonly release: Release | null
}

async function refuseOlder(db: Db, { from, needs, release }: Needed): Promise<void> {
  const advice = 'run `sluice migrate`, or unset MIGRATE.'
  if (from < needs) {
    throw new StoreError(
      `The database is at migration ${from} and this version needs ${needs}: ${advice}`,
    )
  }
  if (release === null) return
  if (await keepRelease(db, release)) return
  throw new StoreError(`The database does not have the functions of this version: ${advice}`)
}

/** The migrations of `migrations/`, in order. */
export async function ourMigrations(): Promise<readonly Migration[]> {
  const folder = new URL('./migrations/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => /^\d{4}\.sql$/.test(name)).sort()
  const texts = names.map((name) => readFile(new URL(name, folder), 'utf8'))
  return (await Promise.all(texts)).map((text, index) => ({ number: index + 1, text }))
}

/** The newest migration that the database has; 0: none. */
export const newestApplied = async (db: Db): Promise<number> => (await readApplied(db)).length

/**
 * The same, where all that it has are migrations of ours.
 *
 * @throws StoreError where a newer version, or another one, has migrated it.
 */
export const newestOfOurs = async (db: Db): Promise<number> =>
  compare(await readApplied(db), await ourMigrations())

interface Applied {
  readonly number: number
  readonly digest: string
}

async function readApplied(db: Db): Promise<readonly Applied[]> {
  // Not to_regclass(): that may answer from this connection's cache, which is old after a wait for
  // the lock.
  const [table] = await db.query<{ found: boolean }>(sql`
    select exists (
      select from pg_tables where schemaname = current_schema() and tablename = 'migrations'
    ) as found`)
  if (table?.found !== true) return []
  return db.query<Applied>(sql`select number, digest from migrations order by number`)
}

/** How many of `migrations` the database has. Refuses a database that has others. */
function compare(applied: readonly Applied[], migrations: readonly Migration[]): number {
  if (applied.length > migrations.length) {
    throw new StoreError(
      `The database is at migration ${applied.length} and this version knows ${migrations.length}: it was used by a newer version, so start that one.`,
    )
  }
  applied.forEach((row, index) => {
    const migration = migrations[index]
    if (migration?.number === row.number && digestOf(migration) === row.digest) return
    throw new StoreError(
      `Migration ${row.number} of the database is not the one that this version knows: start the version that made it.`,
    )
  })
  return applied.length
}

async function applyNext(tx: Db, migrations: readonly Migration[]): Promise<void> {
  const next = migrations[compare(await readApplied(tx), migrations)]
  if (next === undefined) return
  // The last one waits for the disk: what came before it is then there, too.
  if (next !== migrations.at(-1)) await tx.query(sql`set local synchronous_commit = off`)
  await tx.query({ text: createTables, values: [] })
  await tx.query({ text: next.text, values: [] })
  await tx.query(
    sql`insert into migrations (number, digest) values (${next.number}, ${digestOf(next)})`,
  )
}

const createTables = `
  create table if not exists migrations (
    number integer primary key,
    digest text not null,
    applied_at timestamptz not null default now()
  );
  ${createReleases}`

const digestOf = ({ text }: Migration): string => createHash('sha256').update(text).digest('hex')
