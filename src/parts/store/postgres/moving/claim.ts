import { Refusal } from '../../../../faults.ts'
import type { ImportClaim } from '../../moving.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** The claim that an import has on the database; null: there is none. */
export async function claimOn(db: Db): Promise<ImportClaim | null> {
  const [table] = await db.query<{ found: boolean }>(sql`
    select exists (
      select from pg_tables where schemaname = current_schema() and tablename = 'import_claim'
    ) as found`)
  if (table?.found !== true) return null
  const [row] = await db.query<ImportClaim>(sql`select log from import_claim`)
  return row ?? null
}

/**
 * Half an import is no installation: its log may have what its books do not know.
 *
 * @throws Refusal where an import has begun and not ended.
 */
export async function refuseHalfImported(db: Db): Promise<void> {
  if ((await claimOn(db)) === null) return
  throw new Refusal(
    'An import into this database is under way, or was cut short: run `sluice import` again with the same settings, and start when it has ended.',
  )
}

/** Says that an import has begun; again, where one was cut short. */
export async function putClaim(tx: Db, log: string | null): Promise<void> {
  await tx.query(sql`
    create table if not exists import_claim (
      one boolean primary key default true check (one),
      log text,
      begun_at timestamptz not null default now()
    )`)
  await tx.query(sql`
    insert into import_claim (log) values (${log})
    on conflict (one) do update set log = coalesce(excluded.log, import_claim.log)`)
}

export async function endClaim(tx: Db): Promise<void> {
  await tx.query(sql`drop table import_claim`)
}
