import { Fault } from '../../../../faults.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { underLock } from './lock.ts'
import type { Release, TableTriggers } from './release.ts'
import { ourRelease } from './release.ts'

/**
 * The releases whose functions and triggers the database has. `whole`: all of them are there; false
 * while they are being made or dropped. `seen_at`: when a process of the release last reported.
 */
export const createReleases = `
  create table if not exists releases (
    name text primary key,
    whole boolean not null default false,
    seen_at timestamptz not null default now()
  )`

/** A release counts as gone when no process of it has reported for so long. */
const unseenFor = '1 day'

/**
 * Brings `release` into the database, beside those at work there, and drops the ones that are gone.
 */
export async function bringRelease(db: Db, release: Release): Promise<void> {
  if (!(await keepRelease(db, release))) {
    // One table per transaction: locking two at once could deadlock with transactions at work.
    await underLock(db, (tx) => createFunctions(tx, release))
    for (const each of release.triggers) {
      await underLock(db, (tx) => createTriggers(tx, release, each))
    }
    await underLock(db, (tx) =>
      tx.query(sql`update releases set whole = true where name = ${release.name}`),
    )
  }
  await dropUnseen(db)
}

/**
 * Reports that a process of `release` is at work; processes do so every hour. False: the database
 * does not have the release, or has dropped it because no process had reported for a day.
 */
export async function keepRelease(db: Db, { name }: Release = ourRelease): Promise<boolean> {
  const rows = await db.query(sql`
    update releases set seen_at = now()
    where name = ${name} and whole and exists (select from pg_namespace where nspname = name)
    returning 1`)
  return rows.length > 0
}

// Each step does no harm where another process has already done it.

async function createFunctions(tx: Db, release: Release): Promise<void> {
  const { name } = release
  await tx.query(sql`
    insert into releases (name) values (${name})
    on conflict (name) do update set seen_at = now()`)
  await tx.query({ text: `create schema if not exists ${name}`, values: [] })
  // As with the schema `public`: every user of the tables may call the functions.
  await tx.query({ text: `grant usage on schema ${name} to public`, values: [] })
  await createIn(tx, release)
  // The functions call one another, so their order would matter if PostgreSQL checked their bodies
  // now.
  await tx.query(sql`set local check_function_bodies = off`)
  for (const text of release.functions) await tx.query({ text, values: [] })
}

async function createTriggers(
  tx: Db,
  release: Release,
  { table, text }: TableTriggers,
): Promise<void> {
  const [there] = await tx.query(sql`
    select 1 from pg_trigger
    where tgrelid = ${table}::regclass and tgname like ${`%${release.name}`} limit 1`)
  if (there !== undefined) return
  await createIn(tx, release)
  await tx.query({ text: text.replaceAll(':release', release.name), values: [] })
}

/** From here on, what is created belongs to the release, and finds what belongs to the release. */
const createIn = (tx: Db, { name }: Release): Promise<unknown> =>
  tx.query(sql`
    select set_config('search_path', ${name} || ', ' || current_setting('search_path'), true)`)

/** What another transaction is reading stays until the next start. */
async function dropUnseen(db: Db): Promise<void> {
  const unseen = await db.query<{ name: string }>(sql`
    select name from releases where seen_at < now() - ${unseenFor}::interval`)
  for (const { name } of unseen) {
    try {
      await drop(db, name)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'UNAVAILABLE') throw error
    }
  }
}

async function drop(db: Db, name: string): Promise<void> {
  // Marked as not whole first: a process of it that starts meanwhile brings it again.
  await unlessSeen(db, name, () => Promise.resolve())
  const triggers = await db.query<{ trigger: string; table: string }>(sql`
    select tgname as trigger, tgrelid::regclass::text as table
    from pg_trigger where tgname like ${`%${name}`} and not tgisinternal`)
  for (const { trigger, table } of triggers) {
    const text = `drop trigger if exists ${trigger} on ${table}`
    await unlessSeen(db, name, (tx) => tx.query({ text, values: [] }))
  }
  await unlessSeen(db, name, async (tx) => {
    await tx.query({ text: `drop schema if exists ${name} cascade`, values: [] })
    await tx.query(sql`delete from releases where name = ${name}`)
  })
}

const unlessSeen = (db: Db, name: string, work: (tx: Db) => Promise<unknown>): Promise<void> =>
  underLock(db, async (tx) => {
    const [unseen] = await tx.query(sql`
      update releases set whole = false
      where name = ${name} and seen_at < now() - ${unseenFor}::interval returning 1`)
    if (unseen === undefined) return
    // Not for long: while this waits for a table's lock, everybody else waits behind it.
    await tx.query(sql`set local lock_timeout = '1s'`)
    await work(tx)
  })
