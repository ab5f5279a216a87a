import { STATUS_CODES } from 'node:http'
import type { Rated } from './rates.ts'
import type { Reply } from './route.ts'
import type { UwsResponse } from './uws-surface.ts'

export interface Envelope {
  readonly requestId: string
  readonly rated: Rated
  /**
   * True for HEAD: everything of the answer except its body, and the last one of its connection,
   * because such answers would pile up where nobody reads them.
   */
  readonly headOnly: boolean
  readonly close: boolean
  /** What pages of other origins need to read it; null: nothing. */
  readonly cors: Readonly<Record<string, string>> | null
}

/** The body of an answer; null for none. Throws when it cannot be written as JSON. */
export function payloadOf(reply: Reply): string | Uint8Array | null {
  return reply.raw ?? (reply.body === undefined ? null : JSON.stringify(reply.body))
}

/** An answer that can be written. */
export interface Answer {
  readonly reply: Reply
  readonly payload: string | Uint8Array | null
  readonly envelope: Envelope
}

/**
 * Writes one answer in one system call, and calls `written` when the system has taken all of it,
 * which may be later where the client reads slowly. Until then the HTTP engine owes this answer and
 * hangs up on a next request, so that a client cannot pile up answers without reading them. The
 * response must be neither answered nor aborted.
 */
export function write(
  res: UwsResponse,
  { reply, payload, envelope }: Answer,
  written: () => void,
): void {
  res.cork(() => {
    writeHead(res, { reply, payload, envelope })
    if (envelope.headOnly) {
      // `end` would announce a length of 0, which is wrong. The connection is paused, and times
      // out.
      const length = payload === null ? reply.content?.bytes : Buffer.byteLength(payload)
      if (length !== undefined) res.writeHeader('Content-Length', String(length))
      res.writeHeader('Connection', 'close')
      res.endWithoutBody()
      written()
    } else if (envelope.close) {
      res.end(payload ?? '', true)
      written()
    } else if (payload !== null) {
      send(res, payload, written)
    } else {
      // `end` would announce a length of 0, which 204 forbids.
      res.endWithoutBody()
      written()
    }
  })
}

/**
 * Writes the head of an answer whose body goes on, and the beginning of that body. False: the
 * client takes no more for now. Such an answer is the last one of its connection.
 */
export function begin(res: UwsResponse, answer: Answer, beginning: string): boolean {
  let took = false
  res.cork(() => {
    writeHead(res, answer)
    res.writeHeader('Connection', 'close')
    took = res.write(beginning)
  })
  return took
}

/**
 * Writes the head of an answer whose body is sent piece by piece, and whose length is known. Within
 * the cork of the first piece.
 */
export function announce(res: UwsResponse, answer: Answer): void {
  writeHead(res, answer)
  if (answer.envelope.close) res.writeHeader('Connection', 'close')
}

function writeHead(res: UwsResponse, { reply, payload, envelope }: Answer): void {
  res.writeStatus(statusLine(reply.status))
  const { limit, remaining, reset } = envelope.rated
  let lines = `${envelope.requestId}\r\nX-RateLimit-Limit: ${limit}`
  lines += `\r\nX-RateLimit-Remaining: ${remaining}\r\nX-RateLimit-Reset: ${reset}`
  if (reply.raw === undefined && payload !== null) lines += '\r\nContent-Type: application/json'
  const headers = headersOf(reply, envelope)
  for (const name in headers) lines += `\r\n${name}: ${headers[name] ?? ''}`
  res.writeHeader('X-Request-Id', lines)
}

function headersOf({ headers }: Reply, { cors }: Envelope): Reply['headers'] {
  if (cors === null) return headers
  // One line for each name: the engines differ in what they make of two.
  const vary = [cors['Vary'], headers?.['Vary']].filter((value) => value !== undefined).join(', ')
  return { ...cors, ...headers, ...(vary === '' ? {} : { Vary: vary }) }
}

function send(res: UwsResponse, payload: string | Uint8Array, written: () => void): void {
  const total = Buffer.byteLength(payload)
  const [, whole] = res.tryEnd(payload, total)
  if (whole) {
    written()
    return
  }
  const bytes = Buffer.from(payload)
  res.onWritable((offset) => {
    const [, end] = res.tryEnd(bytes.subarray(offset), total)
    if (end) written()
    return end
  })
}

const statusLines = new Map<number, string>()

function statusLine(status: number): string {
  const line = statusLines.get(status) ?? `${status} ${STATUS_CODES[status] ?? 'Unknown'}`
  statusLines.set(status, line)
  return line
}
