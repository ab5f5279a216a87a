/** The values of a metric's labels. */
type Labels = Readonly<Record<string, string | number>>

/** One cell for each combination of labels. */
export interface Cells<Cell> {
  /** The cell of these labels, made at their first use. */
  of(labels: Labels): Cell
  each(visit: (cell: Cell, labels: Labels) => void): void
}

/**
 * Finds cells with one look-up per label, without making a text of the labels, since some are used
 * for every request. Labels must have few values, because a cell stays for good.
 */
export function cells<Cell>(names: readonly string[], make: () => Cell): Cells<Cell> {
  const root: Branch<Cell> = { cell: null, branches: new Map() }
  const made: { readonly cell: Cell; readonly labels: Labels }[] = []
  return { of, each }

  function of(labels: Labels): Cell {
    let at = root
    for (const name of names) {
      const value = labels[name]
      let next = at.branches.get(value)
      if (next === undefined) {
        next = { cell: null, branches: new Map() }
        at.branches.set(value, next)
      }
      at = next
    }
    if (at.cell !== null) return at.cell
    const cell = make()
    at.cell = cell
    made.push({ cell, labels })
    return cell
  }

  function each(visit: (cell: Cell, labels: Labels) => void): void {
    for (const { cell, labels } of made) visit(cell, labels)
  }
}

interface Branch<Cell> {
  cell: Cell | null
  readonly branches: Map<string | number | undefined, Branch<Cell>>
}
