import type { ConsolePlace } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import type { KindFilter, ResourceKind } from './kind.ts'
import { Empty, Failure, Heading, Skeleton } from './parts.tsx'
import { RowTable } from './tables.tsx'
import type { Children, Submitted } from './ui.ts'
import { shownField } from './values.tsx'

const pageSize = 50

/** A list with its filters in the address, page by page. */
export function ListPage({
  place,
  kind,
  acts,
}: {
  place: ConsolePlace
  kind: ResourceKind
  acts?: Children
}) {
  const { mode, query } = place
  const page = Number(query.get('page') ?? '0')
  const filters = kind.filters.flatMap(({ name }) => {
    const value = query.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  const search = new URLSearchParams([
    ...filters.map(([name, value]) => [name, value]),
    ['page_size', String(pageSize)],
    ['page_number', String(page)],
  ])
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(
    apiPath(mode, `${kind.path}?${search}`),
  )
  const csv = apiPath(
    mode,
    `/export${kind.path}?${new URLSearchParams(filters.map(([...one]) => one))}`,
  )
  return (
    <section>
      <Heading title={kind.title}>
        <a class="button" href={csv} download={`${kind.step}.csv`}>
          Export CSV
        </a>
        {acts}
      </Heading>
      {kind.filters.length > 0 && <Filters place={place} filters={kind.filters} step={kind.step} />}
      {failure !== null && <Failure failure={failure} again={again} />}
      {failure === null && data === null && <Skeleton />}
      {data !== null && (
        <Rows place={place} kind={kind} rows={data.items} isFiltered={filters.length > 0} />
      )}
      {data !== null && <Pager place={place} page={page} isLast={data.items.length < pageSize} />}
    </section>
  )
}

/** Says in the address of a thing that it stands among those that have ended. */
function pastOf({ ends }: ResourceKind, query: URLSearchParams): Record<string, string | null> {
  const name = ends?.past ?? null
  return name === null || query.get(name) !== 'true' ? {} : { [name]: 'true' }
}

function Rows({
  place: { mode, query },
  kind,
  rows,
  isFiltered,
}: {
  place: ConsolePlace
  kind: ResourceKind
  rows: readonly Json[]
  isFiltered: boolean
}) {
  if (rows.length === 0 && isFiltered) {
    return (
      <Empty title="Nothing is like that">
        <a href={hrefOf(mode, [kind.step])}>Show all of them.</a>
      </Empty>
    )
  }
  if (rows.length === 0) {
    return (
      <Empty title={`None yet in ${mode} mode`} {...commandOf(kind)}>
        {kind.empty}
      </Empty>
    )
  }
  const past = pastOf(kind, query)
  const columns = kind.columns.map((column, index) => ({
    head: column.head,
    ...(column.as === 'number' || typeof column.as === 'object' ? { kind: 'number' as const } : {}),
    cell: (row: Json) => {
      const shown = shownField(mode, row, column)
      const isLead = index === 0 && column.as !== 'id' && kind.hasPage !== false
      return isLead ? (
        <a href={hrefOf(mode, [kind.step, String(row[kind.id])], past)}>{shown}</a>
      ) : (
        shown
      )
    },
  }))
  return <RowTable columns={columns} rows={rows} keyOf={(row) => String(row[kind.id])} />
}

/** The filters stand in the address, so that a list can be sent to somebody. */
export function Filters({
  place: { mode, query },
  filters,
  step,
}: {
  place: ConsolePlace
  filters: readonly KindFilter[]
  step: string
}) {
  const submit = (event: Submitted<HTMLFormElement>) => {
    event.preventDefault()
    const entered = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]),
    )
    goTo(hrefOf(mode, [step], entered))
  }
  return (
    <form class="filters" onSubmit={submit} key={query.toString()}>
      {filters.map(({ name, label, options }) => (
        <FilterField
          key={name}
          name={name}
          label={label}
          options={options ?? null}
          value={query.get(name) ?? ''}
        />
      ))}
      <button type="submit">Filter</button>
    </form>
  )
}

interface FilterFieldNeeds {
  readonly name: string
  readonly label: string
  readonly options: readonly string[] | null
  readonly value: string
}

function FilterField({ name, label, options, value }: FilterFieldNeeds) {
  const id = `filter-${name}`
  return (
    <p>
      <label for={id}>{label}</label>
      {options === null ? (
        <input id={id} name={name} defaultValue={value} autoComplete="off" />
      ) : (
        <select id={id} name={name} defaultValue={value}>
          <option value="">any</option>
          {options.map((one) => (
            <option key={one} value={one}>
              {one.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      )}
    </p>
  )
}

export function Pager({
  place: { mode, steps, query },
  page,
  isLast,
}: {
  place: ConsolePlace
  page: number
  isLast: boolean
}) {
  if (page === 0 && isLast) return null
  const to = (number: number) =>
    hrefOf(mode, steps, { ...Object.fromEntries(query), page: number === 0 ? '' : String(number) })
  return (
    <nav class="row" aria-label="Pages of the list">
      {page > 0 && <a href={to(page - 1)}>Newer</a>}
      <span class="note">Page {page + 1}</span>
      {!isLast && <a href={to(page + 1)}>Older</a>}
    </nav>
  )
}

function commandOf({ path, example }: ResourceKind): { command?: string } {
  if (example === undefined) return {}
  const made = path === '/payments' ? '/checkouts' : path
  return { command: `npm run -s sluice -- api POST ${made} --data '${JSON.stringify(example)}'` }
}
