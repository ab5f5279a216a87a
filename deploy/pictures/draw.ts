import { colourOf, escaped, panel, sheet, short } from '../../bench/drawing/svg.ts'

/** A line of a picture: values by the second since the run began; gaps are left out. */
export interface Series {
  readonly legend: string
  readonly points: readonly (readonly [seconds: number, value: number])[]
}

export interface Picture {
  readonly title: string
  readonly unit: string
  readonly series: readonly Series[]
}

const [width, height] = [520, 220]
const frame = { left: 64, right: 12, top: 34, bottom: 52 }
const legendsMax = 6

/** All panels of a dashboard as one SVG. */
export const sheetOf = (title: string, pictures: readonly Picture[], seconds: number): string =>
  sheet(
    title,
    pictures.map((picture) => panelOf(picture, seconds)),
    { width, height, columns: 2 },
  )

function panelOf({ series, title, unit }: Picture, seconds: number): string {
  const top = Math.max(...series.flatMap(({ points }) => points.map(([, value]) => value)), 0)
  const most = top > 0 ? top * 1.1 : 1
  const inner = {
    width: width - frame.left - frame.right,
    height: height - frame.top - frame.bottom,
  }
  const x = (at: number): number => frame.left + (at / seconds) * inner.width
  const y = (value: number): number => frame.top + inner.height * (1 - Math.max(0, value) / most)
  const lines = series.map(({ points }, index) => {
    const path = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
    return `<polyline points="${path}" fill="none" stroke="${colourOf(index)}" stroke-width="1.5"/>`
  })
  const rules = [0, 0.5, 1].map((share) => ({
    from: frame.left,
    to: width - frame.right,
    y: y(most * share),
    label: valueText(most * share, unit),
  }))
  const below = height - frame.bottom + 16
  return [
    panel({ width, height, title }, rules),
    ...lines,
    `<text x="${frame.left}" y="${below}" fill="#64748b">0 s</text>`,
    `<text x="${width - frame.right}" y="${below}" text-anchor="end" fill="#64748b">${Math.round(seconds)} s</text>`,
    ...legendsOf(series),
  ].join('')
}

function legendsOf(series: readonly Series[]): readonly string[] {
  const shown = series.slice(0, legendsMax)
  return shown.map(({ legend }, index) => {
    const x = 12 + (index % 3) * 168
    const y = height - 22 + Math.floor(index / 3) * 14
    const text = legend.length > 26 ? `${legend.slice(0, 25)}…` : legend
    return `<rect x="${x}" y="${y - 7}" width="10" height="3" fill="${colourOf(index)}"/><text x="${x + 15}" y="${y}" fill="#334155">${escaped(text)}</text>`
  })
}

function valueText(value: number, unit: string): string {
  if (unit === 's') return value < 1 ? `${short(value * 1_000)} ms` : `${short(value)} s`
  if (unit === 'percentunit') return `${short(value * 100)} %`
  if (unit === 'bytes') return value < 2 ** 20 ? short(value) : `${short(value / 2 ** 20)} MiB`
  return short(value)
}
