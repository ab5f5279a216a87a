// uplot: the smallest charting library that draws thousands of points without a pause; this is its
// only import.
import uPlot from 'uplot'
import { clockTime, showsUtc } from './moments.ts'
import { whenColoursTurn } from './theme.ts'
import { useEffect, useRef, useState } from './ui.ts'

export interface ChartLine {
  readonly label: string
  /** A name of a colour in the style sheet. */
  readonly colour: string
  readonly values: readonly (number | null)[]
}

const height = 180

/** Lines over time, in the colours of the page; the table beside it says the same in numbers. */
export function Chart({
  title,
  times,
  lines,
  unit,
}: {
  title: string
  /** Seconds since 1970. */
  times: readonly number[]
  lines: readonly ChartLine[]
  unit: string
}) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const [turns, turn] = useState(0)
  const data = [times, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData
  useEffect(() => {
    const { current } = place
    if (current === null) return
    const made = new uPlot(optionsFor(current, lines, unit), data, current)
    plot.current = made
    const watching = new ResizeObserver(() => made.setSize({ width: current.clientWidth, height }))
    watching.observe(current)
    const forget = whenColoursTurn(() => turn((turns) => turns + 1))
    return () => {
      forget()
      watching.disconnect()
      made.destroy()
    }
  }, [lines.length, turns])
  useEffect(() => plot.current?.setData(data), [times])
  return (
    <figure class="chart">
      <figcaption>
        {title}
        <span class="row">
          {lines.map(({ label, colour }) => (
            <small key={label} class={`key ${colour}`}>
              {label}
            </small>
          ))}
        </span>
      </figcaption>
      <div ref={place} role="img" aria-label={`${title}, as a chart`} />
    </figure>
  )
}

function optionsFor(place: HTMLElement, lines: readonly ChartLine[], unit: string): uPlot.Options {
  const style = getComputedStyle(place)
  // The name alone would say both colours, of light and of dark: a canvas needs the one that holds.
  const colourOf = (name: string) => {
    place.style.color = `var(--${name})`
    const { color } = style
    place.style.color = ''
    return color
  }
  const axis = {
    stroke: colourOf('soft'),
    grid: { stroke: colourOf('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  }
  return {
    width: place.clientWidth,
    height,
    ...(showsUtc ? { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1_000), 'UTC') } : {}),
    legend: { show: false },
    cursor: { y: false },
    padding: [8, 16, 0, 0],
    axes: [
      {
        ...axis,
        space: 80,
        size: 28,
        values: (_, ticks, __, ___, step) => ticks.map((at) => clockTime(at, step < 60)),
      },
      { ...axis, size: 56, values: (_, ticks) => ticks.map((one) => `${one}${unit}`) },
    ],
    scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
    series: [
      {},
      ...lines.map(({ label, colour }) => ({
        label,
        stroke: colourOf(colour),
        width: 2,
        fill: `color-mix(in srgb, ${colourOf(colour)} 12%, transparent)`,
        points: { show: false },
      })),
    ],
  }
}
