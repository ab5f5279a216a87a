import type { Duration } from '../../../../std/instant.ts'
import type { Business, Businesses } from '../../businesses.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { BusinessRow } from './business-rows.ts'
import { businessOf } from './business-rows.ts'

export function businesses(db: Db): Businesses {
  return { find, clockAhead, moveClock, any, scopes }

  async function find(businessId: string): Promise<Business | null> {
    const [row] = await db.query<BusinessRow>(sql`
      select business_id, name, rate_tier, created_at
      from businesses
      where business_id = ${businessId}`)
    return row === undefined ? null : businessOf(row)
  }

  async function clockAhead({ businessId, mode }: Scope): Promise<Duration> {
    const [row] = await db.query<{ clock_ahead_us: number }>(sql`
      select clock_ahead_us from business_modes
      where (business_id, mode) = (${businessId}, ${mode})`)
    return row?.clock_ahead_us ?? 0
  }

  async function moveClock({ businessId, mode }: Scope, { from, to }: Ahead): Promise<boolean> {
    const rows = await db.query(sql`
      update business_modes set clock_ahead_us = ${Math.round(to)}
      where (business_id, mode) = (${businessId}, ${mode})
        and clock_ahead_us = ${Math.round(from)} and clock_ahead_us < ${Math.round(to)}
      returning 1`)
    return rows.length === 1
  }

  async function any(): Promise<boolean> {
    const [row] = await db.query<{ found: boolean }>(
      sql`select exists (select from businesses) as found`,
    )
    return row?.found === true
  }

  async function scopes(
    { businessId, mode }: { readonly [name in keyof Scope]: Scope[name] | null },
    max: number,
  ): Promise<readonly Scope[]> {
    return db.query<Scope>(sql`
      select business_id as "businessId", mode from business_modes
      where (${businessId}::text is null or business_id = ${businessId})
      and (${mode}::text is null or mode = ${mode})
      order by business_id, mode limit ${max}`)
  }
}

type Ahead = Parameters<Businesses['moveClock']>[1]
