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

const [width, height, gap] = [520, 220, 16]
const frame = { left: 64, right: 12, top: 34, bottom: 52 }
const colours = ['#2563eb', '#d97706', '#059669', '#dc2626', '#7c3aed', '#0891b2', '#65a30d']
const columns = 2
const legendsMax = 6

/** All panels of a dashboard as one SVG. */
export function sheetOf(title: string, pictures: readonly Picture[], seconds: number): string {
  const rows = Math.ceil(pictures.length / columns)
  const size = {
    width: columns * (width + gap) + gap,
    height: rows * (height + gap) + gap + 28,
  }
  const panels = pictures.map((picture, index) => {
    const x = gap + (index % columns) * (width + gap)
    const y = gap + 28 + Math.floor(index / columns) * (height + gap)
    return `<g transform="translate(${x} ${y})">${panelOf(picture, seconds)}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="11">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="#f8fafc"/>`,
    `<text x="${gap}" y="28" font-size="16" fill="#0f172a">${escaped(title)}</text>`,
    ...panels,
    '</svg>\n',
  ].join('\n')
}

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
  const rules = [0, 0.5, 1].map((share) => {
    const at = y(most * share).toFixed(1)
    const label = valueText(most * share, unit)
    return `<path d="M${frame.left} ${at}H${width - frame.right}" stroke="#e2e8f0"/><text x="${frame.left - 6}" y="${Number(at) + 4}" text-anchor="end" fill="#64748b">${label}</text>`
  })
  const below = height - frame.bottom + 16
  return [
    `<rect width="${width}" height="${height}" rx="4" fill="#fff" stroke="#e2e8f0"/>`,
    `<text x="12" y="21" font-size="13" fill="#0f172a">${escaped(title)}</text>`,
    ...rules,
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

const colourOf = (index: number): string => colours[index % colours.length] ?? '#000'

function valueText(value: number, unit: string): string {
  if (unit === 's') return value < 1 ? `${short(value * 1_000)} ms` : `${short(value)} s`
  if (unit === 'percentunit') return `${short(value * 100)} %`
  if (unit === 'bytes') return value < 2 ** 20 ? short(value) : `${short(value / 2 ** 20)} MiB`
  return short(value)
}

function short(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toPrecision(3))} M`
  if (value >= 10_000) return `${Number((value / 1_000).toPrecision(3))} k`
  return `${Number(value.toPrecision(3))}`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
