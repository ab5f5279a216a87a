import { isAscii, isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Shares } from '../../runtime/shares.ts'
import { openShares } from '../../runtime/shares.ts'
import { jsonFault } from '../../std/json-fault.ts'
import { isStorable } from '../../std/text.ts'
import type { ByteBudget } from './budget.ts'
import type { Exchange } from './exchange.ts'
import type { Head } from './head.ts'
import { refuseCostly } from './json-cost.ts'

/** Throws 415 unless the body is JSON in UTF-8, plain or as gzip. [requests#bodies] */
export function refuseOtherMedia(head: Head, media: readonly string[] = []): void {
  const type = head.header('content-type')
  if (type !== null && !isJson(type, media)) {
    throw new Fault(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be JSON in UTF-8: Content-Type: application/json.',
    )
  }
  const coding = head.header('content-encoding')
  if (coding !== null && codingOf(coding) === null) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be gzip or absent.')
  }
}

function isJson(type: string, others: readonly string[]): boolean {
  if (type === 'application/json') return true
  const [name = '', ...parameters] = type.toLowerCase().split(';')
  if (name.trim() !== 'application/json' && !others.includes(name.trim())) return false
  return parameters.every((parameter) => {
    const [name, value = ''] = parameter.split('=').map((part) => part.trim())
    return name !== 'charset' || /^("utf-?8"|utf-?8)$/.test(value)
  })
}

function codingOf(header: string): 'gzip' | 'identity' | null {
  const coding = header.trim().toLowerCase()
  if (coding === 'gzip' || coding === 'x-gzip') return 'gzip'
  return coding === 'identity' ? 'identity' : null
}

/** Whether the body says that it is compressed. */
export function isGzip(head: Head): boolean {
  const coding = head.header('content-encoding')
  return coding !== null && codingOf(coding) === 'gzip'
}

/**
 * Where bodies are decompressed. `turns` are shared between businesses, each of which has one at a
 * time.
 */
export interface InflatingRoom {
  readonly turns: Shares
  readonly budget: ByteBudget
  readonly bytesMax: number
}

export const openInflating = (room: Omit<InflatingRoom, 'turns'>): InflatingRoom => ({
  ...room,
  turns: openShares({
    total: limits.inflationsMax,
    each: limits.businessInflationsMax,
    waitMs: limits.bodyWaitMs,
    waitingMax: limits.businessInflationsWaitingMax,
  }),
})

/**
 * The decompressed body: at most `bytesMax`, at most so many times the size that was sent, and
 * within the budget. Works outside of the event loop, when it is the turn of `name`.
 */
export async function inflated(
  bytes: Buffer,
  { turns, budget, bytesMax }: InflatingRoom,
  { name, exchange }: { readonly name: string; readonly exchange: Exchange },
): Promise<Buffer> {
  const least = Math.max(limits.inflatedBytesMin, bytes.length * limits.inflationMax)
  const maxOutputLength = Math.min(bytesMax, least)
  const leave = await turns.enter(name)
  const plain = await gunzipped(bytes, { maxOutputLength })
    .catch((error: unknown) => gzipFault(error, maxOutputLength))
    .finally(leave)
  if (!budget.take(plain.length)) {
    throw new Fault('UNAVAILABLE', 'Too many requests are in flight just now; try again.', {
      retryAfterSeconds: 1,
    })
  }
  if (exchange.over) budget.give(plain.length)
  else exchange.onOver(() => budget.give(plain.length))
  return plain
}

const gunzipped = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

function gzipFault(error: unknown, bytesMax: number): never {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    throw new Fault(
      'REQUEST_TOO_LARGE',
      `The body inflates to more than ${bytesMax} bytes, which is the bound for a body or ${limits.inflationMax} times what was sent: send it in parts, or as it is.`,
    )
  }
  throw new Fault('INVALID_JSON', 'The body is not valid gzip.')
}

/**
 * The value that the bytes hold. Throws INVALID_JSON (empty, not UTF-8, not JSON), and
 * INVALID_REQUEST_BODY for a body that costs more than any schema allows. [requests#refusals]
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Fault('INVALID_JSON', 'The body is empty; it must be JSON.')
  if (bytes.length >= limits.jsonScanBytesMin) refuseCostly(bytes)
  const text = textOf(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('INVALID_JSON', `The body is not valid JSON${placeOf(text)}.`)
  }
}

/**
 * Where the mistake is. V8's own message quotes the body, so it is not passed on. Only the
 * beginning of a large body is searched, so that a refusal costs little more than parsing.
 */
function placeOf(text: string): string {
  const fault = jsonFault(text.slice(0, limits.jsonFaultCharactersMax))
  if (fault === null) return ''
  const place = `line ${fault.line}, column ${fault.column}`
  if (!fault.isEnd) return `: see ${place}`
  return text.length > limits.jsonFaultCharactersMax
    ? ` somewhere behind ${place}`
    : `: it ends too early, at ${place}`
}

function textOf(bytes: Buffer): string {
  // One byte per character: half the memory of other strings, and parsed faster.
  if (isAscii(bytes)) return bytes.toString('latin1')
  // Decoding would turn what is not UTF-8 into U+FFFD, and so two ids into one.
  if (!isUtf8(bytes)) throw new Fault('INVALID_JSON', 'The body is not valid UTF-8.')
  return bytes.toString('utf8')
}

/**
 * Throws 422 when a text in the body cannot be stored: with NUL, or half of a surrogate pair, which
 * would become another text. For bodies that become rows; usage events are stored as JSON.
 */
export function refuseUnstorable(value: unknown, bytes: Buffer): void {
  // In JSON both can only be written as escapes.
  if (bytes.includes('\\u') && holdsUnstorable(value, 0)) {
    throw new Fault(
      'INVALID_REQUEST_BODY',
      'Texts must not hold U+0000 nor half of a surrogate pair.',
    )
  }
}

function holdsUnstorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !isStorable(value)
  if (typeof value !== 'object' || value === null) return false
  if (depth > limits.jsonDepthMax) return true
  return Object.entries(value).some(
    ([key, inner]) => holdsUnstorable(key, depth) || holdsUnstorable(inner, depth + 1),
  )
}
