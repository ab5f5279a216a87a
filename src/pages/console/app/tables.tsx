import type { Children } from './ui.ts'

/** One column of a table: numbers stand at its end, texts may break. */
export interface TableColumn<Row> {
  readonly head: string
  readonly cell: (row: Row) => Children
  readonly kind?: 'number' | 'text' | 'acts'
}

/** A table as wide as it needs to be: it scrolls by itself where the page is narrower. */
export function RowTable<Row>({
  columns,
  rows,
  keyOf,
  isOver = () => false,
}: {
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Whether a row is shown as what has ended. */
  isOver?: (row: Row) => boolean
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keyboard, too.
    <section class="wide" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ head, kind }) => (
              <th key={head} class={classOf(kind)}>
                {kind === 'acts' ? <span class="sr">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={isOver(row) ? 'over' : undefined}>
              {columns.map(({ head, cell, kind }) => (
                <td key={head} class={classOf(kind)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const classOf = (kind: TableColumn<never>['kind']): string | undefined =>
  kind === 'acts' ? 'end' : kind
