import { limits } from '../../limits.ts'
import type { UwsRequest } from './uws-surface.ts'

/**
 * Everything of a request except its body. Copied, because uWS takes it back when the handler
 * returns.
 */
export interface Head {
  /** In upper case. */
  readonly method: string
  readonly path: string
  readonly query: string
  readonly host: string
  readonly hasBody: boolean
  /** Null for a body in chunks, whose end is not announced. */
  readonly contentLength: number | null
  /** The size of the target and the headers. */
  readonly bytes: number
  /**
   * Why two readers could disagree about where this request ends or which host it is for, or why it
   * must not be read; null if neither.
   */
  readonly ambiguity: string | null
  /**
   * Nothing that follows on its connection may be taken for a request: because this one is
   * ambiguous, or ends with chunks, whose lines we do not see, or lacks a length that it should
   * have, or because its sender says that it is the last.
   */
  readonly last: boolean
  /** A header by its lower-case name, repeated ones joined by a comma; null when absent. */
  header(name: string): string | null
}

/**
 * Reads the head, at once. uWS takes the first of two lengths, any transfer coding for chunks, and
 * any number of hosts, so a proxy in front could see other requests than we do. Whatever is
 * ambiguous is refused, and the connection is closed. [machines#the-http-engine]
 */
export function readHead(req: UwsRequest): Head {
  const names: string[] = []
  const values: string[] = []
  const framing: Framing = { host: '', hosts: 0, length: '', lengths: 0, coding: '', codings: 0 }
  const query = req.getQuery() ?? ''
  let [clean, bytes] = [true, req.getUrl().length + query.length]
  req.forEach((name, value) => {
    bytes += name.length + value.length
    // A head that is refused for its size must not be kept.
    if (bytes > limits.headBytesMax) return
    names.push(name)
    values.push(value)
    clean &&= token.test(name) && !control.test(value)
    note(framing, name, value)
  })
  const host = framing.host.toLowerCase()
  const target = pathOf(req.getUrl(), host)
  const method = req.getMethod().toUpperCase()
  const ambiguity =
    (bytes > limits.headBytesMax
      ? `The head is larger than ${limits.headBytesMax} bytes.`
      : null) ??
    ambiguousHost(framing) ??
    ambiguousLength(framing) ??
    (clean ? null : 'A header holds characters that it must not hold.') ??
    (target === null ? 'The target of the request is not a path of this host.' : null) ??
    (token.test(req.getMethod()) ? null : 'The method is not a word.') ??
    (method === 'CONNECT' ? 'The method CONNECT is not served.' : null)
  const header = (name: string) => headerOf(name, names, values)
  const { codings, lengths } = framing
  const contentLength = codings > 0 ? null : Number(framing.length)
  return {
    method,
    bytes,
    path: target ?? '/',
    query,
    host,
    hasBody: contentLength !== 0,
    contentLength,
    ambiguity,
    last:
      ambiguity !== null ||
      method === 'TRACE' ||
      codings > 0 ||
      (lengths === 0 && bodied.has(method)) ||
      saysLast(header('connection')),
    header,
  }
}

/**
 * What a header's name may contain, in lower case, and what its value must not. [RFC 9110, 5.1 and
 * 5.5]
 */
const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const control = /[\0-\x08\x0a-\x1f\x7f]/

/**
 * Clients that send these methods announce a length, even of 0. Where it is missing, it may have
 * been hidden from us.
 */
const bodied: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const saysLast = (connection: string | null): boolean =>
  connection !== null && /(^|,)\s*close\s*(,|$)/i.test(connection)

/** Most headers come only once. */
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

/** The headers that say where a request goes and where it ends: the first of each, how many. */
interface Framing {
  host: string
  hosts: number
  length: string
  lengths: number
  coding: string
  codings: number
}

function note(framing: Framing, name: string, value: string): void {
  if (name === 'host') {
    if (framing.hosts === 0) framing.host = value
    framing.hosts += 1
  } else if (name === 'content-length') {
    if (framing.lengths === 0) framing.length = value
    framing.lengths += 1
  } else if (name === 'transfer-encoding') {
    if (framing.codings === 0) framing.coding = value
    framing.codings += 1
  }
}

function ambiguousHost({ host, hosts }: Framing): string | null {
  if (hosts !== 1) return 'There must be exactly one Host header.'
  return /^[A-Za-z0-9._\-:[\]]{1,255}$/.test(host) ? null : 'The Host header is not a host.'
}

function ambiguousLength({ coding, codings, length, lengths }: Framing): string | null {
  if (codings > 0 && lengths > 0) {
    return 'Content-Length and Transfer-Encoding must not come together.'
  }
  if (lengths > 1) return 'There must be at most one Content-Length.'
  if (lengths === 1 && !/^\d{1,15}$/.test(length)) {
    return 'Content-Length must be plain digits.'
  }
  if (codings > 1 || (codings === 1 && coding.toLowerCase() !== 'chunked')) {
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
