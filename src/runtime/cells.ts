/** Values of a metric's labels. */
type Labels = Readonly<Record<string, string | number>>

/** A cell for each set of labels. */
export interface Cells<Cell> {
  /** The cell of these labels, made when they come for the first time. */
  of(labels: Labels): Cell
  each(visit: (cell: Cell, labels: Labels) => void): void
}

/**
 * Cells found by one look-up a label, without making a text of them: some are wanted for every
 * request. Labels must have few values, since a cell stays for ever.
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
