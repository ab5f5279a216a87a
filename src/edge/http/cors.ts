import type { Head } from './head.ts'

type Headers = Readonly<Record<string, string>>

/** Which pages a browser may let call us, and read the answers of. [requests#browsers] */
export interface Cors {
  /** What every answer to this request carries besides; null: it comes from nowhere that may. */
  headersFor(head: Head): Headers | null
  /** What the answer to an OPTIONS for a path with these methods carries besides those. */
  preflight(head: Head, allow: readonly string[]): Headers
}

const none: Headers = {}

/** How long a browser may remember what it asked for beforehand. */
const maxAgeSeconds = '600'

/** Headers that pages may read besides those that all may. */
const exposed = [
  ...['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['Retry-After', 'x-should-retry', 'ETag', 'Allow'],
  ...['Sluice-Position', 'Sluice-Archived-To'],
].join(', ')

/** `origins` as CORS_ORIGINS has them; null, and nothing to do for any request, where none may. */
export function cors(origins: readonly string[]): Cors | null {
  if (origins.length === 0) return null
  const all = origins.includes('*')
  const known = new Set(origins)
  return { headersFor, preflight }

  function headersFor(head: Head): Headers | null {
    // A cache must keep the answer for this origin alone.
    const vary = all ? none : { Vary: 'Origin' }
    const origin = head.header('origin')
    if (origin === null || !(all || known.has(origin))) return all ? null : vary
    return {
      ...vary,
      'Access-Control-Allow-Origin': all ? '*' : origin,
      'Access-Control-Expose-Headers': exposed,
    }
  }

  function preflight(head: Head, allow: readonly string[]): Headers {
    const origin = head.header('origin')
    if (origin === null || !(all || known.has(origin))) return none
    if (head.header('access-control-request-method') === null) return none
    const asked = head.header('access-control-request-headers') ?? ''
    return {
      'Access-Control-Allow-Methods': allow.join(', '),
      // Whatever it wants to send: what we read of it is refused where it is wrong.
      ...(isHeaderList(asked) ? { 'Access-Control-Allow-Headers': asked } : none),
      'Access-Control-Max-Age': maxAgeSeconds,
    }
  }
}

const isHeaderList = (text: string): boolean =>
  text.length <= 1_024 && /^[\w!#$%&'*+.^`|~-]+(\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/.test(text)
