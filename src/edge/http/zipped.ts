import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Head } from './head.ts'
import type { Reply } from './route.ts'

/** Below it a packet or a few carry it as it is. */
const bytesMin = 8 * 1024

/** Lists say much of the same: a low level takes most of it, in a tenth of the time. */
const level = 3

const gzipped = promisify(gzip)

/**
 * A large answer as gzip, where the caller takes it. Outside of the event loop. What a POST answers
 * is small, and goes out as it is. [requests#answers]
 */
export function zipped(reply: Reply, head: Head): Reply | Promise<Reply> {
  if (head.method !== 'GET' && head.method !== 'HEAD') return reply
  const text = reply.raw ?? (reply.body === undefined ? null : JSON.stringify(reply.body))
  if (text === null) return reply
  const type = reply.raw === undefined ? { 'Content-Type': 'application/json' } : {}
  const whole = { status: reply.status, raw: text, headers: { ...type, ...reply.headers } }
  const headers = varyingHeaders(whole)
  if (headers['Vary'] === undefined || !takesGzip(head.header('accept-encoding'))) {
    return { ...whole, headers }
  }
  return gzipped(text, { level }).then((raw) => ({
    ...whole,
    raw,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
  }))
}

/** The headers of an answer, and whether it is compressed for those who ask for that. */
export function varyingHeaders({ raw, headers = {} }: Reply): Readonly<Record<string, string>> {
  // A PDF is compressed within.
  const isPacked = headers['Content-Type'] === 'application/pdf'
  if (raw === undefined || raw.length < bytesMin || isPacked) return headers
  return { ...headers, Vary: 'Accept-Encoding' }
}

/**
 * gzip is named, or everything is, with a weight above 0 and not below that of the answer as it
 * is. [RFC 9110, 12.5.3]
 */
export function takesGzip(accepted: string | null): boolean {
  if (accepted === null) return false
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}
