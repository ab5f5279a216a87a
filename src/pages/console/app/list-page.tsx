import type { ConsolePlace } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import type { Entered } from './forms.tsx'
import type { AskedPage } from './going-on.ts'
import { goingOn } from './going-on.ts'
import type { KindFilter, ResourceKind } from './kind.ts'
import type { Me } from './me.ts'
import { fieldOfMoment, momentOfField } from './moments.ts'
import { CsvLink, Empty, Failure, Heading, Skeleton } from './parts.tsx'
import type { TableColumn } from './tables.tsx'
import { RowTable } from './tables.tsx'
import type { Children, Submitted } from './ui.ts'
import { columnsOf } from './values.tsx'

/** Of all lists, as long as the console is open. */
export const listPages = goingOn()

/** A list with its filters in the address, page by page. */
export function ListPage({
  place,
  kind,
  me,
  acts,
}: {
  place: ConsolePlace
  kind: ResourceKind
  me: Me
  acts?: Children
}) {
  const { mode, query } = place
  const page = Number(query.get('page') ?? '0')
  const filters = kind.filters.flatMap(({ name }) => {
    const value = query.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  const chosen = [...Object.entries(kind.only ?? {}), ...filters]
  const list = apiPath(mode, `${kind.path}?${new URLSearchParams(chosen.map((one) => [...one]))}`)
  const asked: AskedPage = { list, page, by: kind.byTime ?? null }
  const search = new URLSearchParams(
    [...chosen, ...listPages.queryOf(asked)].map((one) => [...one]),
  )
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(
    apiPath(mode, `${kind.path}?${search}`),
  )
  const rows = data === null ? [] : listPages.rowsOf(asked, data.items)
  const csv = apiPath(
    mode,
    `/export${kind.path}?${new URLSearchParams(chosen.map(([...one]) => one))}`,
  )
  return (
    <section>
      <Heading title={kind.title}>
        <CsvLink href={csv} name={kind.step} />
        {acts}
      </Heading>
      {kind.filters.length > 0 && <Filters place={place} filters={kind.filters} step={kind.step} />}
      {failure !== null && <Failure failure={failure} again={again} />}
      {failure === null && data === null && <Skeleton />}
      {data !== null && (
        <Rows place={place} kind={kind} me={me} rows={rows} isFiltered={filters.length > 0} />
      )}
      {data !== null && <Pager place={place} page={page} isLast={rows.length < listPages.size} />}
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
  me,
  rows,
  isFiltered,
}: {
  place: ConsolePlace
  kind: ResourceKind
  me: Me
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
      <Empty
        title={`None yet in ${mode} mode`}
        {...commandOf(kind, { mode, businessId: me.business_id })}
      >
        {kind.empty}
      </Empty>
    )
  }
  const past = pastOf(kind, query)
  const toOne = (row: Json) => hrefOf(mode, [kind.step, String(row[kind.id])], past)
  const [lead, ...rest] = columnsOf(mode, kind.columns)
  const leads = kind.columns[0]?.as !== 'id' && kind.hasPage !== false
  const columns = [...(lead === undefined ? [] : [leads ? leading(lead, toOne) : lead]), ...rest]
  return <RowTable columns={columns} rows={rows} keyOf={(row) => String(row[kind.id])} />
}

/** The first column of a row leads to its page. */
const leading = (column: TableColumn<Json>, toOne: (row: Json) => string): TableColumn<Json> => ({
  ...column,
  cell: (row) => <a href={toOne(row)}>{column.cell(row)}</a>,
})

/** The filters stand in the address, so that a list can be sent to somebody. */
export function Filters({
  place: { mode, query },
  filters,
  step,
  one,
}: {
  place: ConsolePlace
  filters: readonly KindFilter[]
  step: string
  /** The page of the one thing that was asked for by its id; null: the list is. */
  one?: (entered: Entered) => string | null
}) {
  const submit = (event: Submitted<HTMLFormElement>) => {
    event.preventDefault()
    const moments = new Set(filters.flatMap(({ name, isMoment }) => (isMoment ? [name] : [])))
    const entered = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => {
        const text = String(value).trim()
        return [name, moments.has(name) && text !== '' ? momentOfField(text) : text]
      }),
    )
    goTo(one?.(entered) ?? hrefOf(mode, [step], entered))
  }
  return (
    <form class="filters" onSubmit={submit} key={query.toString()}>
      {filters.map(({ name, label, options, none, example, isMoment = false }) => (
        <FilterField
          key={name}
          name={name}
          label={label}
          options={options ?? null}
          none={none ?? 'any'}
          example={example ?? exampleOf(name)}
          isMoment={isMoment}
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
  readonly none: string
  readonly example: string
  readonly isMoment: boolean
  readonly value: string
}

/** What an id looks like. */
const exampleOf = (name: string): string =>
  ({
    customer_id: 'cus_…',
    product_id: 'pdt_…',
    subscription_id: 'sub_…',
    email: 'ada@example.com',
  })[name] ?? ''

function FilterField({ name, label, options, none, value, ...field }: FilterFieldNeeds) {
  const id = `filter-${name}`
  return (
    <p>
      <label for={id}>{label}</label>
      {options === null ? (
        <input
          id={id}
          name={name}
          autoComplete="off"
          {...(field.isMoment
            ? { type: 'datetime-local', step: 1, defaultValue: fieldOfMoment(value) }
            : { defaultValue: value, placeholder: field.example })}
        />
      ) : (
        <select id={id} name={name} defaultValue={value}>
          <option value="">{none}</option>
          {options.map((one) => (
            <option key={one} value={one}>
              {optionWords[one] ?? one.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      )}
    </p>
  )
}

/** Flags as people say them. */
const optionWords: Readonly<Record<string, string>> = { true: 'yes', false: 'no' }

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

function commandOf(
  { path, example, command }: ResourceKind,
  of: { readonly mode: string; readonly businessId: string },
): { command?: string } {
  if (command !== undefined) return { command: command(of) }
  if (example === undefined) return {}
  const made = path === '/payments' ? '/checkouts' : path
  return { command: `npm run -s sluice -- api POST ${made} --data '${JSON.stringify(example)}'` }
}
