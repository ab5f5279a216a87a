import type { ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import { groupedDecimal, shortTime } from './moments.ts'
import { CsvLink, Failure, Skeleton, When } from './parts.tsx'
import { RowTable } from './tables.tsx'

/** The grants that still hold something, stacked as they will be used. */
export function Lots({ mode, base }: { mode: ShownMode; base: string }) {
  const path = apiPath(mode, `${base}/grants?status=active&page_size=50`)
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(path)
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={2} />
  const lots = data.items
    .filter((grant) => Number(grant['remaining_amount']) > 0)
    .sort((a, b) => (String(a['created_at']) < String(b['created_at']) ? -1 : 1))
  if (lots.length === 0) return <p class="note">No grant holds anything now.</p>
  return (
    <div>
      <header class="heading">
        <h3>Grants</h3>
        <div class="actions">
          <CsvLink href={apiPath(mode, `/export${base}/grants`)} name="grants" />
        </div>
      </header>
      <LotBar lots={lots} />
      <RowTable
        rows={lots}
        keyOf={(grant) => String(grant['id'])}
        columns={[
          {
            head: 'Grant',
            cell: (grant) => (
              <a href={hrefOf(mode, ['why', String(grant['id'])])}>
                {String(grant['source_type']).replaceAll('_', ' ')}
              </a>
            ),
          },
          {
            head: 'Left',
            kind: 'number',
            cell: (grant) => groupedDecimal(String(grant['remaining_amount'])),
          },
          {
            head: 'Of',
            kind: 'number',
            cell: (grant) => groupedDecimal(String(grant['initial_amount'])),
          },
          { head: 'Granted', cell: (grant) => <When at={grant['created_at']} /> },
          {
            head: 'Expires',
            cell: (grant) =>
              grant['expires_at'] === null ? 'never' : <When at={grant['expires_at']} />,
          },
        ]}
      />
    </div>
  )
}

const [width, height, gap] = [1_000, 28, 4]

/** One bar: each lot as wide as what it holds, the darker part is left of it. */
function LotBar({ lots }: { lots: readonly Json[] }) {
  const sizes = lots.map((lot) => Number(lot['initial_amount']))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const room = width - gap * (lots.length - 1)
  let at = 0
  return (
    <svg
      class="lots"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${lots.length} grants, in the order of their making`}
    >
      {lots.map((lot, index) => {
        const wide = Math.max(2, (room * (sizes[index] ?? 0)) / Math.max(total, 1e-9))
        const left = Math.min(
          1,
          Number(lot['remaining_amount']) / Math.max(sizes[index] ?? 0, 1e-9),
        )
        const x = at
        at += wide + gap
        const ends = lot['expires_at'] === null ? 'never' : shortTime(String(lot['expires_at']))
        return (
          <g key={String(lot['id'])}>
            <title>{`${lot['remaining_amount']} of ${lot['initial_amount']}, expires ${ends}`}</title>
            <rect class="whole" x={x} y={0} width={wide} height={height} />
            <rect class="left" x={x} y={0} width={wide * left} height={height} />
          </g>
        )
      })}
    </svg>
  )
}
