import { join } from 'node:path'
import { attachPostgres } from '../../src/parts/store/embedded/postgres.ts'
import { openDb } from '../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import type { Site } from '../harness/site.ts'
import { creditsGranted, unitsPerCredit } from '../harness/site.ts'
import type { Usage } from '../harness/workload.ts'

/** How far the books of a running server have come. */
export interface Progress {
  readonly measured: number
  readonly billed: number
  /** Whether everything that was measured is settled. */
  readonly settled: boolean
}

export interface Books {
  progress(): Promise<Progress>
  /** Credits that all customers together have used, in thousandths. */
  used(): Promise<bigint>
  /** Bytes of each table that holds more than a mebibyte, with its partitions and indexes. */
  tables(): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

/** Reads the store of a site. Writes nothing, and reads so little that it costs nothing. */
export async function openBooks(site: Site): Promise<Books> {
  const { customers, dataDir, entitlementId, parts, quiet } = site
  const url = parts?.databaseUrl ?? (await attachPostgres(join(dataDir, 'postgres')))
  if (url === null) throw new Error('The embedded PostgreSQL of the bench cannot be reached.')
  const db = openDb({ url, connectionsMax: 1, name: 'sluice bench' })
  return { progress, used, tables, close: () => db.close() }

  async function progress(): Promise<Progress> {
    const [row] = await db.query<{ measured: string; billed: string; settled: boolean }>(sql`
      select sum(billed + unmatched + duplicates + quarantined) as measured, sum(billed) as billed,
        not exists (select from unsettled) as settled
      from checkpoints`)
    const { measured = 0, billed = 0, settled = false } = row ?? {}
    return { measured: Number(measured), billed: Number(billed), settled }
  }

  async function used(): Promise<bigint> {
    const [row] = await db.query<{ left: string }>(sql`
      select trunc(sum(balance) * 1000) as left from accounts
      where entitlement_id = ${entitlementId}`)
    const granted = (customers.length + quiet.length) * creditsGranted
    return BigInt(granted) * 1_000n - BigInt(row?.left ?? 0)
  }

  async function tables(): Promise<ReadonlyMap<string, number>> {
    const rows = await db.query<{ name: string; bytes: string }>(sql`
      select c.relname as name,
        sum(pg_total_relation_size(coalesce(i.inhrelid, c.oid))) as bytes
      from pg_class c left join pg_inherits i on i.inhparent = c.oid
      where c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace = current_schema()::regnamespace
      group by c.relname having sum(pg_total_relation_size(coalesce(i.inhrelid, c.oid))) > 1048576
      order by 2 desc`)
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
  }
}

/** What the usage is worth, in thousandths of a credit. */
export const worthOf = ({ calls, tokens, large }: Usage): bigint =>
  BigInt(((calls + tokens + large) * 1_000) / unitsPerCredit)
