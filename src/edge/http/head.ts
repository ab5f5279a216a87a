import type { UwsRequest } from './uws-surface.ts'

/** All of a request but its body, copied: uWS takes it back when the handler returns. */
export interface Head {
  /** In upper case. */
  readonly method: string
  readonly path: string
  readonly query: string
  readonly host: string
  readonly hasBody: boolean
  /** Null with chunks, whose end nobody announces. */
  readonly contentLength: number | null
  /**
   * Why two readers could disagree about where this request ends or whom it is for; null if not.
   */
  readonly ambiguity: string | null
  /** A header by its lower-case name, repeated ones joined by a comma; null when absent. */
  header(name: string): string | null
}

/**
 * Reads the head at once. uWS takes the first of two lengths, any transfer coding for chunks and
 * any number of hosts, so that a proxy in front could see other requests than we do: what is
 * ambiguous is refused, and the connection closed. [design 7]
 */
export function readHead(req: UwsRequest): Head {
  const names: string[] = []
  const values: string[] = []
  const [hosts, lengths, codings]: [string[], string[], string[]] = [[], [], []]
  req.forEach((name, value) => {
    names.push(name)
    values.push(value)
    if (name === 'host') hosts.push(value)
    else if (name === 'content-length') lengths.push(value)
    else if (name === 'transfer-encoding') codings.push(value)
  })
  const host = (hosts[0] ?? '').toLowerCase()
  const target = pathOf(req.getUrl(), host)
  const method = req.getMethod().toUpperCase()
  const ambiguity =
    ambiguousHost(hosts) ??
    ambiguousLength(lengths, codings) ??
    (target === null ? 'The target of the request is not a path of this host.' : null) ??
    (method === 'CONNECT' || method === 'TRACE' ? `The method ${method} is not served.` : null)
  const contentLength = codings.length > 0 ? null : Number(lengths[0] ?? 0)
  return {
    method,
    path: target ?? '/',
    query: req.getQuery() ?? '',
    host,
    hasBody: contentLength !== 0,
    contentLength,
    ambiguity,
    header: (name) => headerOf(name, names, values),
  }
}

/** Most headers come once. */
function headerOf(
  name: string,
  names: readonly string[],
  values: readonly string[],
): string | null {
  const first = names.indexOf(name)
  if (first === -1) return null
  if (names.indexOf(name, first + 1) === -1) return values[first] ?? null
  return values.filter((_, at) => names[at] === name).join(', ')
}

function ambiguousHost(hosts: readonly string[]): string | null {
  if (hosts.length !== 1) return 'There must be exactly one Host header.'
  return /^[A-Za-z0-9._\-:[\]]{1,255}$/.test(hosts[0] ?? '')
    ? null
    : 'The Host header is not a host.'
}

function ambiguousLength(lengths: readonly string[], codings: readonly string[]): string | null {
  if (codings.length > 0 && lengths.length > 0) {
    return 'Content-Length and Transfer-Encoding must not come together.'
  }
  if (lengths.length > 1) return 'There must be at most one Content-Length.'
  if (lengths.length === 1 && !/^\d{1,15}$/.test(lengths[0] ?? '')) {
    return 'Content-Length must be plain digits.'
  }
  if (codings.length > 1 || (codings.length === 1 && codings[0]?.toLowerCase() !== 'chunked')) {
    return 'Transfer-Encoding must be exactly chunked.'
  }
  return null
}

/** The path of an origin-form target, or of an absolute one that names this very host. */
function pathOf(url: string, host: string): string | null {
  if (url.startsWith('/')) return url
  const absolute = /^https?:\/\/([^/?#]*)(\/.*)?$/i.exec(url)
  if (absolute === null || (absolute[1] ?? '').toLowerCase() !== host) return null
  return absolute[2] ?? '/'
}
