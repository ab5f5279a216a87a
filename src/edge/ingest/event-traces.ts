import { limits } from '../../limits.ts'
import type { EventsTrace } from '../../std/trace.ts'
import { readTraces, tracesInStretches } from '../../std/trace.ts'
import type { Request } from '../http/route.ts'
import { isBinaryMode, isCloudEvent } from './cloud-events.ts'

/**
 * The traces that a request and its events belong to: those of `Sluice-Traces`; else what a
 * CloudEvent says of itself (`traceparent`, its extension for distributed tracing), and for events
 * that say nothing the request's own `traceparent`. What is none is left out. [operations#traces]
 */
export function eventTracesOf({
  body,
  header,
}: Pick<Request, 'body' | 'header'>): readonly EventsTrace[] {
  const several = readTraces(header('sluice-traces') ?? '', limits.recordTracesMax)
  if (several.length > 0) return several
  const named = oneOf(header('traceparent'))
  if (!isCloudEvent(header)) return named
  if (isBinaryMode(header)) return firstNamed(oneOf(header('ce-traceparent')), named)
  const events = body instanceof Buffer ? spokenIn(body) : body
  if (!Array.isArray(events)) return firstNamed(ownOf(events), named)
  const each = events.map((event) => firstNamed(ownOf(event), named)[0]?.traceparent ?? null)
  return tracesInStretches(each).slice(0, limits.recordTracesMax)
}

/** What a body says that is not read yet; null: nothing readable, and it will be refused. */
export function spokenIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    return null
  }
}

type Named = readonly EventsTrace[]

const oneOf = (text: unknown): Named => (typeof text === 'string' ? readTraces(text, 1) : [])

const ownOf = (event: unknown): Named =>
  oneOf((event as { readonly traceparent?: unknown } | null)?.traceparent)

const firstNamed = (own: Named, named: Named): Named => (own.length > 0 ? own : named)
