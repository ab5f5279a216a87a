import { AsyncLocalStorage } from 'node:async_hooks'
import type { RangedSpan } from '../../runtime/tracing.ts'
import { presentSpans } from '../../runtime/tracing.ts'
import { textOf } from '../../std/bytes.ts'
import { isInRange } from '../../std/trace.ts'
import type { Request, Route } from '../http/route.ts'
import { spokenIn } from './event-traces.ts'
import type { Packer, Piece } from './packer.ts'

/** The ids of the events of a request, in their order. */
type EventIds = () => readonly unknown[]

const requests = new AsyncLocalStorage<EventIds>()

/** Sends the present spans along with what is appended as a part of them. */
export const tracedPacker = (packer: Packer): Packer => ({
  ...packer,
  append(pieces) {
    const spans = presentSpans()
    const [first] = spans
    if (first === undefined) return packer.append(pieces)
    if (spans.length > 1 || first.range !== null) return packer.append(split(pieces, spans))
    const trace = first.span.traceparent
    return packer.append(pieces.map((one) => ({ ...one, trace })))
  },
})

/** The ingest, for `tracedPacker`, which asks for the ids where several traces meet in a request. */
export const tracedIngest = (ingest: Route): Route => ({
  ...ingest,
  handler: (request) =>
    requests.run(
      () => idsIn(request),
      () => ingest.handler(request),
    ),
})

/** Of a body of events, in the contract's form or as CloudEvents; null: a part that is none. */
function idsIn({ body }: Request): readonly unknown[] {
  const said = body instanceof Buffer ? spokenIn(body) : body
  if (Array.isArray(said)) return said.map((event: CloudId | null) => event?.id)
  const { events } = Object(said) as { readonly events?: readonly Identified[] }
  return Array.isArray(events) ? events.map((event: Identified | null) => event?.event_id) : []
}

interface CloudId {
  readonly id: string
}

interface Identified {
  readonly event_id: string
}

/** Cuts the pieces so that all lines of a piece belong to one trace, or to none. */
function split(pieces: readonly Piece[], spans: readonly RangedSpan[]): readonly Piece[] {
  const traces = new Map<unknown, string>()
  requests
    .getStore()?.()
    .forEach((id, index) => {
      const found = spans.find(({ range }) => isInRange(index, range))
      if (found !== undefined) traces.set(id, found.span.traceparent)
    })
  return pieces.flatMap((piece) => runsOf(piece, traces))
}

const lineFeed = 10

function runsOf(piece: Piece, traces: ReadonlyMap<unknown, string>): readonly Piece[] {
  const { bytes, partition } = piece
  const runs: Piece[] = []
  let [from, to, events] = [0, 0, 0]
  let trace: string | undefined
  while (to < bytes.length) {
    const end = bytes.indexOf(lineFeed, to) + 1
    const { event_id: id } = JSON.parse(textOf(bytes.subarray(to, end))) as Identified
    const next = traces.get(id)
    if (next !== trace && events > 0) close()
    trace = next
    to = end
    events += 1
  }
  close()
  return runs

  function close(): void {
    const run = { partition, bytes: bytes.subarray(from, to), events }
    runs.push(trace === undefined ? run : { ...run, trace })
    ;[from, events] = [to, 0]
  }
}
