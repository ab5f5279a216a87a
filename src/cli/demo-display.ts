/** What the demo shows, as of one moment. */
export interface DemoFigures {
  readonly accepted: number
  readonly acceptedPerSecond: number
  readonly settled: number
  readonly settledPerSecond: number
  readonly refused: number
  /** Time from an answer until the balance shows it; null before the first measurement. */
  readonly freshnessMs: number | null
  /** Decimal text, as the API answers it. */
  readonly balance: string
  /** What the balance will be when everything that was accepted is counted. */
  readonly expected: string
  readonly unaccounted: number
}

export interface Display {
  show(figures: DemoFigures): void
  close(): void
}

const barWidth = 40
const linesOfPipesMs = 1_000

/** In a terminal the lines are overwritten; elsewhere there is one line a second. */
export function openDisplay(options: {
  readonly out: NodeJS.WriteStream
  readonly credits: number
}): Display {
  const { out, credits } = options
  let drawn = 0
  let latest = 0
  return { show, close }

  function show(figures: DemoFigures): void {
    if (out.isTTY) {
      const lines = linesOf(figures, credits)
      out.write(`${drawn > 0 ? `\u001b[${drawn}A` : ''}${lines.map(fresh).join('')}`)
      drawn = lines.length
      return
    }
    if (performance.now() - latest < linesOfPipesMs) return
    latest = performance.now()
    out.write(`${plainLine(figures)}\n`)
  }

  function close(): void {
    if (out.isTTY) out.write('\n')
  }
}

const fresh = (line: string): string => `\u001b[2K${line}\n`

function linesOf(figures: DemoFigures, credits: number): readonly string[] {
  const left = Math.max(0, Math.min(1, Number(figures.balance) / credits))
  const full = Math.round(left * barWidth)
  const bar = '█'.repeat(full) + '░'.repeat(barWidth - full)
  return [
    '',
    `  accepted   ${perSecond(figures.acceptedPerSecond)}   ${figures.accepted} in all`,
    `  settled    ${perSecond(figures.settledPerSecond)}   ${figures.settled} in all`,
    `  freshness  ${freshness(figures).padStart(10)}   from the answer to the balance`,
    `  balance    ${bar} ${figures.balance} of ${credits} credits`,
    '',
  ]
}

const plainLine = (figures: DemoFigures): string =>
  [
    `accepted/s ${Math.round(figures.acceptedPerSecond)}`,
    `settled/s ${Math.round(figures.settledPerSecond)}`,
    `freshness ${freshness(figures)}`,
    `balance ${figures.balance}`,
  ].join('  ')

const perSecond = (rate: number): string => `${String(Math.round(rate)).padStart(8)}/s`

const freshness = ({ freshnessMs }: DemoFigures): string =>
  freshnessMs === null ? '–' : `${Math.round(freshnessMs)} ms`
