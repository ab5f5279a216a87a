import { linked, meterPlans } from './catalogue.ts'
import { exact, plain } from './decimals.ts'
import type { AuditParts, Difference } from './differences.ts'
import { differing } from './differences.ts'
import type { Folded } from './model.ts'
import { usageKey } from './model.ts'

interface UsageRow {
  readonly customer_id: string
  readonly entitlement_id: string
  readonly meter_id: string
  readonly cycle: string
  readonly events: number
  readonly value: string
  readonly last_at: string | null
}

/**
 * Usage per customer, entitlement, meter and cycle must be exactly the model's, with no other rows.
 */
export async function auditUsage(parts: AuditParts): Promise<readonly Difference[]> {
  const { model } = parts
  const stored = await storedUsage(parts)
  const keys = [...new Set([...model.usage.keys(), ...stored.keys()])].sort()
  return differing(
    keys.map((key) => [`usage ${key}`, describe(model.usage.get(key)), describe(stored.get(key))]),
  )
}

const describe = (folded: Folded | undefined): string =>
  folded === undefined ? 'none' : `${folded.events} events, ${plain(folded.value)}`

async function storedUsage({ catalogue, db }: AuditParts): Promise<ReadonlyMap<string, Folded>> {
  const names = (ids: ReadonlyMap<string, string>) =>
    new Map([...ids].map(([name, id]) => [id, name]))
  const [meters, entitlements] = [names(catalogue.meterIds), names(catalogue.entitlementIds)]
  const known = new Set([...catalogue.customers, catalogue.solo].map(({ id }) => id))
  const rows = await db.query<UsageRow>({
    text: `select customer_id, entitlement_id, meter_id, to_char(cycle_at, 'YYYY-MM') as cycle,
      events, value, (extract(epoch from last_at) * 1000000)::bigint::text as last_at
      from usage order by customer_id, meter_id, log_hour`,
    values: [],
  })
  const usage = new Map<string, Folded>()
  for (const row of rows.filter(({ customer_id }) => known.has(customer_id))) {
    const entitlement = entitlements.get(row.entitlement_id) ?? row.entitlement_id
    const meter = meters.get(row.meter_id) ?? row.meter_id
    const cycle = entitlement === linked.name ? row.cycle : ''
    const key = usageKey(row.customer_id, entitlement, meter, cycle)
    usage.set(key, merged(meter, usage.get(key), row))
  }
  return usage
}

function merged(meter: string, folded: Folded | undefined, row: UsageRow): Folded {
  const value = exact(row.value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''))
  const one = { events: row.events, value, lastAt: BigInt(row.last_at ?? 0) }
  if (folded === undefined) return one
  const events = folded.events + one.events
  switch (meterPlans.find(({ name }) => name === meter)?.aggregation) {
    case 'max':
      return { ...(one.value > folded.value ? one : folded), events }
    case 'last':
      return { ...(one.lastAt > folded.lastAt ? one : folded), events }
    default:
      return { events, value: folded.value + one.value, lastAt: 0n }
  }
}
