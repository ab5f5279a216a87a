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
  const headers = { ...type, ...reply.headers }
  const whole = { status: reply.status, raw: text, headers }
  // A PDF is compressed within.
  if (text.length < bytesMin || headers['Content-Type'] === 'application/pdf') return whole
  const varying = { ...whole, headers: { ...headers, Vary: 'Accept-Encoding' } }
  if (!takesGzip(head.header('accept-encoding'))) return varying
  return gzipped(text, { level }).then((raw) => ({
    ...varying,
    raw,
    headers: { ...varying.headers, 'Content-Encoding': 'gzip' },
  }))
}

/** gzip is named, or everything is, and not with a weight of 0. [RFC 9110, 12.5.3] */
export function takesGzip(accepted: string | null): boolean {
  if (accepted === null) return false
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}
