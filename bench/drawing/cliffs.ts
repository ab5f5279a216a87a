import type { Report } from '../harness/report.ts'
import type { Line, Result } from '../harness/result.ts'
import { colourOf, escaped, panel, sheet, short } from './svg.ts'

const [width, height] = [380, 220]
const frame = { left: 56, right: 20, top: 40, bottom: 58 }

/** What is drawn of each cell, in µs of CPU an event. */
const shown = [
  ['CPU/event', 'server'],
  ['PostgreSQL/event', 'PostgreSQL'],
] as const

/**
 * The results of `npm run bench -- cliffs`, or the partitions of `cores`: an axis a panel. @throws
 * where there are none.
 */
export function cliffsOf({ results, startedAt }: Report): string {
  const axes = results.filter(
    ({ name }) => name.startsWith('cliffs: ') || name === 'cores: partitions',
  )
  if (axes.length === 0) throw new Error('There is no result of `cliffs` in it.')
  const title = `CPU µs from accepted to settled, an event (${startedAt.slice(0, 10)})`
  return sheet(title, axes.map(panelOf), { width, height, columns: 2 })
}

function panelOf({ lines }: Result): string {
  const [first] = lines
  const title = (first?.label ?? '').replace(/^\S+ /, '')
  const most =
    Math.max(...lines.flatMap((line) => shown.map(([name]) => figureOf(line, name)))) * 1.1
  const inner = {
    width: width - frame.left - frame.right,
    height: height - frame.top - frame.bottom,
  }
  const x = (at: number): number =>
    frame.left + (lines.length < 2 ? 0.5 : at / (lines.length - 1)) * inner.width
  const y = (value: number): number => frame.top + inner.height * (1 - value / most)
  const rules = [0, 0.5, 1].map((share) => ({
    from: frame.left,
    to: width - frame.right,
    y: y(most * share),
    label: short(most * share),
  }))
  const drawn = shown.map(([name, legend], index) => {
    const points = lines.map((line, at) => [x(at), y(figureOf(line, name))] as const)
    const path = points.map((point) => point.map((one) => one.toFixed(1)).join(',')).join(' ')
    const dots = points.map(
      ([cx, cy]) => `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="2.5"/>`,
    )
    const [at, below] = [12 + index * 120, height - 12]
    return [
      `<g fill="${colourOf(index)}"><polyline points="${path}" fill="none" stroke="${colourOf(index)}" stroke-width="1.5"/>`,
      ...dots,
      `<rect x="${at}" y="${below - 7}" width="10" height="3"/></g>`,
      `<text x="${at + 15}" y="${below}" fill="#334155">${legend}</text>`,
    ].join('')
  })
  const under = lines.map(({ label }, at) => {
    const value = short(Number(label.split(' ')[0]))
    return `<text x="${x(at).toFixed(1)}" y="${height - frame.bottom + 18}" text-anchor="middle" fill="#64748b">${escaped(value)}</text>`
  })
  return [panel({ width, height, title }, rules), ...drawn, ...under].join('')
}

const figureOf = ({ figures }: Line, name: string): number =>
  figures.find((figure) => figure.name === name)?.value ?? 0
