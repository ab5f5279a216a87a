import type { Machine } from './machine.ts'
import type { Figure, Goal, Line, Result } from './result.ts'
import { isMet } from './result.ts'

/** A whole run, as `--json` writes it. */
export interface Report {
  readonly command: string
  readonly startedAt: string
  readonly seed: number
  readonly size: string
  readonly machine: Machine
  readonly seconds: number
  readonly results: readonly Result[]
}

export function headText({ command, machine, seed, startedAt }: Omit<Report, 'results'>): string {
  const { versions } = machine
  return [
    command,
    `${startedAt}, seed ${seed}`,
    `${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, ${machine.system}`,
    `load average ${machine.loadAverage}, write and fdatasync of 4 KiB ${machine.syncMs} ms`,
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    '',
  ].join('\n')
}

/** One result as a table; a line with other figures than the lines above begins a new table. */
export function resultText({ name, lines, checksum }: Result): string {
  const tables: Line[][] = []
  for (const line of lines) {
    const table = tables.at(-1)
    if (table !== undefined && namesOf(table[0]) === namesOf(line)) table.push(line)
    else tables.push([line])
  }
  const sum = checksum === '' ? [] : [`  checksum: ${checksum}`]
  return [name, ...tables.flatMap(tableText), ...sum, ''].join('\n')
}

const namesOf = (line: Line | undefined): string =>
  (line?.figures ?? []).map((figure) => figure.name).join('|')

function tableText(lines: readonly Line[]): readonly string[] {
  const [first] = lines
  const head = ['', ...(first?.figures ?? []).map((figure) => figure.name)]
  const rows = lines.map((line) => [line.label, ...line.figures.map(figureText)])
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => [...(row[column] ?? '')].length)),
  )
  return [head, ...rows].map((row) => {
    const cells = row.map((cell, column) => {
      const space = ' '.repeat((widths[column] ?? 0) - [...cell].length)
      return column === 0 ? cell + space : space + cell
    })
    return `  ${cells.join('  ')}`.trimEnd()
  })
}

export function goalsText(results: readonly Result[], size: string): string {
  if (size === 'smoke') return 'This size proves only that the benches run.\n'
  const goals = results.flatMap((result) => result.goals)
  if (goals.length === 0) return ''
  const lines = goals.map((goal) => `  ${isMet(goal) ? 'met   ' : 'missed'}  ${goalText(goal)}`)
  return ['goals', ...lines, ''].join('\n')
}

const goalText = (goal: Goal): string =>
  `${goal.name}: ${figureText(goal)} (${goal.better === 'more' ? '≥' : '≤'} ${goal.target} ${goal.unit})`

/** Three significant digits, since nobody measures more. */
function figureText({ unit, value }: Pick<Figure, 'unit' | 'value'>): string {
  const digits = Math.min(3, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1))))
  const text = value.toFixed(Number.isInteger(value) ? 0 : digits)
  const grouped = text.replace(/\B(?=(\d{3})+(?!\d))/g, value >= 1_000 ? ' ' : '')
  return unit === '' ? grouped : `${grouped} ${unit}`
}
