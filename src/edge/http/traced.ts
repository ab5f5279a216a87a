import { Fault } from '../../faults.ts'
import type { Tracing } from '../../runtime/tracing.ts'
import { withinSpan } from '../../runtime/tracing.ts'
import type { Route } from './route.ts'

/**
 * The route with a span around its handler, which follows the caller's `traceparent`. What a caller
 * sent is in no attribute. [operations#traces]
 */
export function tracedRoute(route: Route, tracing: Tracing): Route {
  const { handler, method, pattern } = route
  const asked = { 'http.request.method': method, 'http.route': pattern }
  const answered = (status: number) => ({ ...asked, 'http.response.status_code': status })
  return {
    ...route,
    async handler(request) {
      const parent = request.header('traceparent')
      const span = tracing.begin({ name: `${method} ${pattern}`, kind: 'server', parent })
      if (span === null) return handler(request)
      try {
        const reply = await withinSpan(span, () => handler(request))
        span.end(answered(reply.status))
        return reply
      } catch (error) {
        const status = error instanceof Fault ? error.status : 500
        span.end(answered(status), status >= 500)
        throw error
      }
    },
  }
}
