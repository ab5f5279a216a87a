import type { Meter } from '../../../../rules/meter/meter.ts'
import type { Meters } from '../../meters.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { catalogOf } from './catalog.ts'
import type { MeterRow } from './meter-rows.ts'
import { meterColumns, meterOf } from './meter-rows.ts'

export function meters(db: Db): Meters {
  return { counted, get, list, many, catalogOf: (scopes) => catalogOf(db, scopes) }

  async function counted({ businessId, mode }: Scope, eventName: string) {
    const [row] = await db.query<{ all: number; named: number }>(sql`
      select count(*) as all, count(*) filter (where event_name = ${eventName}) as named
      from meters where business_id = ${businessId} and mode = ${mode}`)
    return row ?? { all: 0, named: 0 }
  }

  async function get(scope: Scope, meterId: string): Promise<Meter | null> {
    return (await many(scope, [meterId])).get(meterId) ?? null
  }

  async function many(
    { businessId, mode }: Scope,
    meterIds: readonly string[],
  ): Promise<ReadonlyMap<string, Meter>> {
    if (meterIds.length === 0) return new Map()
    const rows = await db.query<MeterRow>(sql`
      select ${meterColumns} from meters
      where business_id = ${businessId} and mode = ${mode} and meter_id = any(${meterIds}::text[])`)
    return new Map(rows.map((row) => [row.meter_id, meterOf(row)]))
  }

  async function list(
    { businessId, mode }: Scope,
    archived: boolean,
    page: Page,
  ): Promise<readonly Meter[]> {
    const rows = await db.query<MeterRow>(sql`
      select ${meterColumns} from meters
      where business_id = ${businessId} and mode = ${mode}
      and (archived_at is not null) = ${archived}
      order by created_at desc, meter_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(meterOf)
  }
}
