import type { TracedNeeds } from './links.ts'
import { lenientLinks, ofMessage } from './links.ts'

interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly attempt: number
}

interface Answered {
  readonly status: number | null
  readonly error: string | null
}

/** Gives an attempt for a traced fact a span, and tells the endpoint of it: `traceparent`. */
export function tracedPost<P extends Posted, A extends Answered>(
  post: (outgoing: P) => Promise<A>,
  needs: TracedNeeds,
): (outgoing: P) => Promise<A> {
  const links = lenientLinks(needs)
  return async (outgoing) => {
    const subject = ofMessage(outgoing.headers['webhook-id'] ?? '')
    const parent = (await links.find([subject])).get(subject)
    if (parent === undefined) return post(outgoing)
    const span = needs.tracing.begin({ name: 'POST webhook', kind: 'client', parent })
    if (span === null) return post(outgoing)
    const { traceparent } = span
    const answer = await post({ ...outgoing, headers: { ...outgoing.headers, traceparent } })
    span.end(
      {
        'http.request.method': 'POST',
        'sluice.attempt': outgoing.attempt,
        ...(answer.status === null ? {} : { 'http.response.status_code': answer.status }),
        ...(answer.error === null ? {} : { 'error.type': answer.error }),
      },
      answer.error !== null,
    )
    return answer
  }
}
