import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { AggregationType } from '../../../src/rules/meter/meter.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { instantOf, second } from '../../../src/std/instant.ts'
import { linkTo } from './links.ts'
import type { VoidWorld } from './world.ts'

/** Steps that the tests of voids share, in the world of the test that is running. */
export function voidSteps(world: () => VoidWorld) {
  return { pass, metered, subscribed, measured, values, voidedOf, contents }

  function pass(length: number): void {
    world().clock.at = instantOf(world().clock.at + length)
  }

  /** Makes a meter of each aggregation, named after it and linked to an entitlement. */
  async function metered(...types: readonly AggregationType[]): Promise<readonly string[]> {
    const call = world().call()
    const ids: string[] = []
    for (const type of types) {
      const { body } = await call('POST /meters', {
        name: type,
        event_name: 'call',
        aggregation: { type, key: type === 'count' ? null : 'n' },
        measurement_unit: 'unit',
      })
      ids.push(body.id)
    }
    await call('POST /credit-entitlements', {
      name: 'Credits',
      unit: 'credit',
      precision: 0,
      overage_enabled: false,
      rollover_enabled: false,
      meter_links: ids.map((id) => ({
        meter_id: id,
        meter_units_per_credit: '1',
        free_threshold: 0,
      })),
    })
    return ids
  }

  /** Makes a subscription that takes the usage, and charges money only. */
  async function subscribed() {
    const [meterId = ''] = await metered('sum')
    const links = [linkTo(meterId, null)]
    return { links, subscription: await world().subscribe('cus_1', links) }
  }

  /** Sends events with these ids and quantities now, and measures them. */
  async function measured(events: Readonly<Record<string, number>>): Promise<void> {
    pass(second)
    for (const [id, n] of Object.entries(events)) {
      world().send([{ event_id: id, customer_id: 'cus_1', event_name: 'call', metadata: { n } }])
      pass(1)
    }
    await world().measure()
  }

  /** The number of events and the value of each meter's rows, by the meter's name. */
  async function values(): Promise<Record<string, string>> {
    const rows = await world().db.query<{ name: string; value: string }>(sql`
      select name, string_agg(events || ' ' || trim_scale(value), ', ' order by log_hour) as value
      from usage join meters using (business_id, mode, meter_id)
      where entitlement_id <> '' group by name order by name`)
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  }

  async function voidedOf(eventId: string) {
    const timestamps = await world().db.query<{ event_at: Instant }>(
      sql`select event_at from voids`,
    )
    const owner = { businessId: world().businessId, mode: world().mode }
    const names = timestamps.map(({ event_at: timestamp }) => ({ eventId, timestamp }))
    return [...(await world().voids.find(owner, names)).values()][0]
  }

  async function contents(): Promise<string> {
    const rows = await world().db.query(sql`
      select (select jsonb_agg(u order by meter_id, log_hour, route_id) from usage u) as usage,
        (select jsonb_agg(v) from voids v) as voids,
        (select jsonb_agg(w) from void_folds w) as folds,
        (select count(*) from unsettled) as unsettled`)
    return JSON.stringify(rows)
  }
}
