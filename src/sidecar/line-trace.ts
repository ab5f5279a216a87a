import type { Request } from '../edge/http/route.ts'
import { limits } from '../limits.ts'
import type { EventRange } from '../std/trace.ts'
import {
  isInRange,
  readTraces,
  traceContextOf,
  traceparentLength,
  traceparentOf,
  writeTraces,
} from '../std/trace.ts'

/** The trace of each event of a request, by its index; null: it has none. */
export type EventTraces = (index: number) => string | null

export const untracedEvents: EventTraces = () => null

/**
 * What a caller says of its events: `Sluice-Traces` or `traceparent`. A trace that is not sampled
 * is none, as nobody would follow it further.
 */
export function tracesOf(header: Request['header']): EventTraces {
  const several = header('sluice-traces')
  const named = header('traceparent') ?? ''
  if (several === null && named === '') return untracedEvents
  const found = readTraces(several ?? '', limits.recordTracesMax)
  const traces = (found.length > 0 ? found : readTraces(named, 1)).flatMap((one) => {
    const context = traceContextOf(one.traceparent)
    return context?.sampled === true ? [{ ...one, traceparent: traceparentOf(context) }] : []
  })
  return (index) => traces.find(({ range }) => isInRange(index, range))?.traceparent ?? null
}

const [start, end] = [',"traceparent":"', '"}']
const length = start.length + traceparentLength + end.length

/**
 * The line with its trace as a last field of the event. A release that knows nothing of traces
 * finds an event there all the same, with a field that no gateway looks at.
 */
export const tracedLine = (line: string, trace: string | null): string =>
  trace === null ? line : `${line.slice(0, -1)}${start}${trace}${end}`

/** An event ends with its timestamp or its metadata: no field of its own can look like that. */
const isTraced = (line: string): boolean =>
  line.startsWith(start, line.length - length) && line.endsWith(end)

/** The line without its trace, as the gateway gets it. */
export const untraced = (line: string): string =>
  isTraced(line) ? `${line.slice(0, -length)}}` : line

/**
 * Headers that tell the gateway which traces its events belong to: as many as it follows.
 * [operations#traces]
 */
export function traceHeadersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const traces = stretchesOf(lines)
  const [only] = traces
  if (only === undefined) return {}
  const isOfAll = only.range.first === 0 && only.range.last === lines.length - 1
  if (isOfAll) return { traceparent: only.traceparent }
  return { 'sluice-traces': writeTraces(traces.slice(0, limits.recordTracesMax)) }
}

/** Events of one trace that stand next to each other. */
interface Stretch {
  readonly traceparent: string
  range: EventRange
}

function stretchesOf(lines: readonly string[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const [index, line] of lines.entries()) {
    if (!isTraced(line)) continue
    const traceparent = line.slice(start.length - length, -end.length)
    const before = stretches.at(-1)
    if (before?.traceparent === traceparent && before.range.last === index - 1) {
      before.range = { first: before.range.first, last: index }
    } else stretches.push({ traceparent, range: { first: index, last: index } })
  }
  return stretches
}
