import { STATUS_CODES } from 'node:http'
import type { Rated } from './rates.ts'
import type { Reply } from './route.ts'
import type { UwsResponse } from './uws-surface.ts'

export interface Envelope {
  readonly requestId: string
  readonly rated: Rated
  /** HEAD: everything of the answer but its body. */
  readonly headOnly: boolean
  readonly close: boolean
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

/** Writes one answer in one system call. The response must be neither answered nor aborted. */
export function write(res: UwsResponse, { reply, payload, envelope }: Answer): void {
  res.cork(() => {
    res.writeStatus(statusLine(reply.status))
    res.writeHeader('X-Request-Id', envelope.requestId)
    const { limit, remaining, reset } = envelope.rated
    res.writeHeader('X-RateLimit-Limit', limit)
    res.writeHeader('X-RateLimit-Remaining', remaining)
    res.writeHeader('X-RateLimit-Reset', reset)
    if (reply.raw === undefined && payload !== null) {
      res.writeHeader('Content-Type', 'application/json')
    }
    for (const name in reply.headers) res.writeHeader(name, reply.headers[name] ?? '')
    if (payload !== null && !envelope.headOnly) {
      res.end(payload, envelope.close)
    } else if (envelope.close) {
      res.end('', true)
    } else {
      // `end` would announce a length of 0: forbidden with 204, and a lie with HEAD.
      if (payload !== null) res.writeHeader('Content-Length', String(Buffer.byteLength(payload)))
      res.endWithoutBody()
    }
  })
}

const lines = new Map<number, string>()

function statusLine(status: number): string {
  const line = lines.get(status) ?? `${status} ${STATUS_CODES[status] ?? 'Unknown'}`
  lines.set(status, line)
  return line
}
