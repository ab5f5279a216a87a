import type { ShownMode } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import type { KindColumn } from './kind.ts'
import { CsvLink, Failure, Skeleton } from './parts.tsx'
import { RowTable } from './tables.tsx'
import type { Children } from './ui.ts'
import { columnsOf } from './values.tsx'

export interface FewNeeds {
  readonly mode: ShownMode
  readonly title: string
  /** The list, in the API. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly columns: readonly KindColumn[]
  readonly id: string
  /** The page of the whole list; absent: there is none. */
  readonly all?: string
  /** What is said where there is nothing; absent: nothing at all, not even the title. */
  readonly none?: Children
  /** What can be done to a row. */
  readonly acts?: ((row: Json, again: () => void) => Children) | undefined
  /** What can be done to the list. */
  readonly head?: ((again: () => void) => Children) | undefined
}

/** The newest of a list on the page of what they belong to; the file has all of them. */
export function Few({ mode, title, path, query = {}, columns, id, ...of }: FewNeeds) {
  const { all, none, acts, head } = of
  const asked = new URLSearchParams(query).toString()
  const few = new URLSearchParams({ ...query, page_size: String(fewMax) })
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(
    apiPath(mode, `${path}?${few}`),
  )
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={3} />
  if (data.items.length === 0 && none === undefined) return null
  const shown = columnsOf(mode, columns)
  const own = {
    head: 'What can be done',
    kind: 'acts' as const,
    cell: (row: Json) => acts?.(row, again),
  }
  return (
    <div>
      <header class="heading">
        <h2 class="row">
          {title} {all !== undefined && <a href={all}>All of them</a>}
        </h2>
        <div class="actions">
          {data.items.length > 0 && (
            <CsvLink href={apiPath(mode, `/export${path}?${asked}`)} name={title.toLowerCase()} />
          )}
          {head?.(again)}
        </div>
      </header>
      {data.items.length === 0 ? (
        <p class="note">{none}</p>
      ) : (
        <RowTable
          rows={data.items}
          keyOf={(row) => String(row[id])}
          columns={acts === undefined ? shown : [...shown, own]}
        />
      )}
    </div>
  )
}

const fewMax = 10
