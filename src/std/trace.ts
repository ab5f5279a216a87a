/** What a `traceparent` of the W3C says. */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
}

/** A later version than 00 may have more behind the flags. */
const form = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/

/** Null: it is no `traceparent`. */
export function traceContextOf(traceparent: string | null): TraceContext | null {
  const [, traceId, spanId, flags] = form.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** How long a `traceparent` of ours is. */
export const traceparentLength = 55

export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`

/** The events of a list that a trace is about, by index, both included. */
export interface EventRange {
  readonly first: number
  readonly last: number
}

/** A trace that has come with events, and which of them it is about; null: all. */
export interface EventsTrace {
  readonly traceparent: string
  readonly range: EventRange | null
}

/** As a header: `TRACEPARENT;FIRST-LAST`, or a `traceparent` alone, between commas. */
export const writeTraces = (traces: readonly EventsTrace[]): string =>
  traces
    .map(({ traceparent, range }) =>
      range === null ? traceparent : `${traceparent};${range.first}-${range.last}`,
    )
    .join(', ')

/** Parts that are none are left out. */
export function readTraces(text: string, most: number): readonly EventsTrace[] {
  const traces: EventsTrace[] = []
  for (const part of text.split(',')) {
    const [traceparent = '', between, ...more] = part.trim().split(';')
    const range = between === undefined ? null : rangeOf(between)
    const isOne = traceContextOf(traceparent) !== null && range !== undefined && more.length === 0
    if (isOne && traces.length < most) traces.push({ traceparent, range })
  }
  return traces
}

/** Of each event its trace: those of one trace that stand next to each other are told together. */
export function tracesInStretches(
  traceparents: readonly (string | null)[],
): readonly (EventsTrace & { readonly range: EventRange })[] {
  const stretches: { readonly traceparent: string; range: EventRange }[] = []
  for (const [index, traceparent] of traceparents.entries()) {
    if (traceparent === null) continue
    const before = stretches.at(-1)
    if (before?.traceparent === traceparent && before.range.last === index - 1) {
      before.range = { first: before.range.first, last: index }
    } else stretches.push({ traceparent, range: { first: index, last: index } })
  }
  return stretches
}

function rangeOf(text: string): EventRange | undefined {
  const [, first, last] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? []
  const range = { first: Number(first), last: Number(last) }
  return range.first <= range.last ? range : undefined
}

export const isInRange = (index: number, range: EventRange | null): boolean =>
  range === null || (index >= range.first && index <= range.last)
