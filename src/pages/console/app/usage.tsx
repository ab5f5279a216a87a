import type { ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import { groupedDecimal } from './moments.ts'
import { shownMoney } from './money.ts'
import { CsvLink, Failure, Skeleton, When } from './parts.tsx'
import { RowTable } from './tables.tsx'

/** What each meter of a subscription has counted in the cycle that is open. */
export function UsageNow({ mode, id }: { mode: ShownMode; id: string }) {
  const path = `/subscriptions/${encodeURIComponent(id)}/usage-history`
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(
    apiPath(mode, `${path}?page_size=1`),
  )
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={2} />
  const [period] = data.items
  const meters = (period?.['meters'] ?? []) as readonly Json[]
  if (period === undefined || meters.length === 0) return null
  return (
    <div>
      <header class="heading">
        <h2 class="row">
          Usage{' '}
          <small class="note">
            <When at={period['start_date']} /> – <When at={period['end_date']} />
          </small>
        </h2>
        <div class="actions">
          <CsvLink href={apiPath(mode, `/export${path}`)} name="usage" />
        </div>
      </header>
      <RowTable rows={meters} keyOf={(meter) => String(meter['id'])} columns={columns(mode)} />
    </div>
  )
}

const columns = (mode: ShownMode) => [
  {
    head: 'Meter',
    cell: (meter: Json) => (
      <a href={hrefOf(mode, ['meters', String(meter['id'])])}>{String(meter['name'])}</a>
    ),
  },
  {
    head: 'Counted',
    kind: 'number' as const,
    cell: (meter: Json) => units(meter, 'consumed_units'),
  },
  { head: 'Free', kind: 'number' as const, cell: (meter: Json) => units(meter, 'free_threshold') },
  {
    head: 'Charged for',
    kind: 'number' as const,
    cell: (meter: Json) => units(meter, 'chargeable_units'),
  },
  {
    head: 'Comes to',
    kind: 'number' as const,
    cell: (meter: Json) =>
      meter['price_per_unit'] === '0'
        ? 'credits'
        : shownMoney(Number(meter['total_price']), String(meter['currency'])),
  },
]

const units = (meter: Json, name: string): string => groupedDecimal(String(meter[name]))
