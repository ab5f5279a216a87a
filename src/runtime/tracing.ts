import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventRange } from '../std/trace.ts'

/** What a span is to the one before it, in OpenTelemetry's words. */
export type SpanKind = 'server' | 'consumer' | 'internal' | 'client'

/** Values that may leave the house: counts, codes and names of ours; never what a caller sent. */
export type SpanAttributes = Readonly<Record<string, string | number>>

export interface SpanStart {
  readonly name: string
  readonly kind: SpanKind
  /** The `traceparent` that it follows; null, or one that is none: it begins a trace of its own. */
  readonly parent: string | null
  /** In milliseconds since 1970; absent: now. */
  readonly atMs?: number
}

/** A piece of work that is being recorded. */
export interface Span {
  /** What names it to whatever follows it: a `traceparent` of the W3C. */
  readonly traceparent: string
  end(attributes: SpanAttributes, failed?: boolean): void
}

/** Where spans go. There is none where nobody asked for traces. */
export interface Tracing {
  /** Null: this trace is not sampled, so nothing is recorded, or passed on. */
  begin(start: SpanStart): Span | null
  close(): Promise<void>
}

/** A span of a request in which several traces meet, and the events of it that it is about. */
export interface RangedSpan {
  readonly span: Span
  /** Null: all. */
  readonly range: EventRange | null
}

const spans = new AsyncLocalStorage<readonly RangedSpan[]>()

/** Does `work` as a part of these spans. */
export const withinSpans = <T>(all: readonly RangedSpan[], work: () => T): T => spans.run(all, work)

/** The spans that the caller is a part of. */
export const presentSpans = (): readonly RangedSpan[] => spans.getStore() ?? none

const none: readonly RangedSpan[] = []
