import { Fault } from '../../faults.ts'
import type { RangedSpan, Tracing } from '../../runtime/tracing.ts'
import { withinSpans } from '../../runtime/tracing.ts'
import type { EventsTrace } from '../../std/trace.ts'
import type { Request, Route } from './route.ts'

/** The traces that a request belongs to, and which of its events to which. */
export type TracesOf = (request: Request) => readonly EventsTrace[]

/**
 * The route with a span around its handler, which follows the caller's trace; with one for each
 * trace, where a request holds events of several. What a caller sent is in no attribute.
 * [operations#traces]
 */
export function tracedRoute(route: Route, tracing: Tracing, tracesOf: TracesOf): Route {
  const { handler, method, pattern } = route
  const asked = { 'http.request.method': method, 'http.route': pattern }
  const answered = (status: number) => ({ ...asked, 'http.response.status_code': status })
  return {
    ...route,
    async handler(request) {
      const followed = tracesOf(request)
      const spans = (followed.length > 0 ? followed : [followsNone]).flatMap(begun)
      if (spans.length === 0) return handler(request)
      const end = (status: number, failed: boolean) => {
        for (const { span } of spans) span.end(answered(status), failed)
      }
      try {
        const reply = await withinSpans(spans, () => handler(request))
        end(reply.status, false)
        return reply
      } catch (error) {
        const status = error instanceof Fault ? error.status : 500
        end(status, status >= 500)
        throw error
      }
    },
  }

  function begun({ traceparent, range }: Follows): readonly RangedSpan[] {
    const name = `${method} ${pattern}`
    const span = tracing.begin({ name, kind: 'server', parent: traceparent })
    return span === null ? [] : [{ span, range }]
  }
}

/** Null: it follows none. */
type Follows = Omit<EventsTrace, 'traceparent'> & { readonly traceparent: string | null }

const followsNone: Follows = { traceparent: null, range: null }
