import type { Request } from '../edge/http/route.ts'
import { eventTracesOf } from '../edge/ingest/event-traces.ts'
import { limits } from '../limits.ts'
import {
  isInRange,
  traceContextOf,
  traceparentLength,
  traceparentOf,
  tracesInStretches,
  writeTraces,
} from '../std/trace.ts'

/** The trace of each event of a request, by its index; null: it has none. */
export type EventTraces = (index: number) => string | null

export const untracedEvents: EventTraces = () => null

/**
 * What a caller says of its events. A trace that is not sampled is left out: nobody records it.
 */
export function tracesOf(request: Pick<Request, 'body' | 'header'>): EventTraces {
  const traces = eventTracesOf(request).flatMap((one) => {
    const context = traceContextOf(one.traceparent)
    return context?.sampled === true ? [{ ...one, traceparent: traceparentOf(context) }] : []
  })
  if (traces.length === 0) return untracedEvents
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

const traceOf = (line: string): string | null =>
  isTraced(line) ? line.slice(start.length - length, -end.length) : null

/** The line without its trace, as the gateway gets it. */
export const untraced = (line: string): string =>
  isTraced(line) ? `${line.slice(0, -length)}}` : line

/**
 * Headers that tell the gateway which traces its events belong to: as many as it follows.
 * [operations#traces]
 */
export function traceHeadersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const traces = tracesInStretches(lines.map(traceOf))
  const [only] = traces
  if (only === undefined) return {}
  const isOfAll = only.range.first === 0 && only.range.last === lines.length - 1
  if (isOfAll) return { traceparent: only.traceparent }
  return { 'sluice-traces': writeTraces(traces.slice(0, limits.recordTracesMax)) }
}
