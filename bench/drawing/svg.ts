/** Text within an SVG. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Three significant digits, in thousands or millions where it is large. */
export function short(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toPrecision(3))} M`
  if (value >= 10_000) return `${Number((value / 1_000).toPrecision(3))} k`
  return `${Number(value.toPrecision(3))}`
}

/** Colours of lines that stand beside each other, on white. */
export const colours = [
  '#2563eb',
  '#d97706',
  '#059669',
  '#dc2626',
  '#7c3aed',
  '#0891b2',
  '#65a30d',
] as const

export const colourOf = (index: number): string => colours[index % colours.length] ?? '#000'

/** A panel's frame with its title, lines across at these heights, and what they stand for. */
export function panel(
  {
    height,
    title,
    width,
  }: { readonly height: number; readonly title: string; readonly width: number },
  rules: readonly {
    readonly from: number
    readonly to: number
    readonly y: number
    readonly label: string
  }[],
): string {
  return [
    `<rect width="${width}" height="${height}" rx="4" fill="#fff" stroke="#e2e8f0"/>`,
    `<text x="12" y="21" font-size="13" fill="#0f172a">${escaped(title)}</text>`,
    ...rules.map(
      ({ from, label, to, y }) =>
        `<path d="M${from} ${y.toFixed(1)}H${to}" stroke="#e2e8f0"/><text x="${from - 6}" y="${(y + 4).toFixed(1)}" text-anchor="end" fill="#64748b">${label}</text>`,
    ),
  ].join('')
}

/** Panels of one size, row by row, under one title. */
export function sheet(
  title: string,
  panels: readonly string[],
  of: { readonly width: number; readonly height: number; readonly columns: number },
): string {
  const gap = 16
  const rows = Math.ceil(panels.length / of.columns)
  const [width, height] = [of.columns * (of.width + gap) + gap, rows * (of.height + gap) + gap + 28]
  const placed = panels.map((panel, index) => {
    const x = gap + (index % of.columns) * (of.width + gap)
    const y = gap + 28 + Math.floor(index / of.columns) * (of.height + gap)
    return `<g transform="translate(${x} ${y})">${panel}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="#f8fafc"/>`,
    `<text x="${gap}" y="28" font-size="16" fill="#0f172a">${escaped(title)}</text>`,
    ...placed,
    '</svg>\n',
  ].join('\n')
}
