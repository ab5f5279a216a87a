import { readIndexes } from '../std/index-ranges.ts'

/** What the gateway's answer means for the events that were sent. */
export type UpstreamVerdict =
  /** The gateway has them. */
  | { readonly kind: 'taken'; readonly backfillSeconds: number | null }
  /** It will never take the events at `indexes`, nor others that the same reason refuses. */
  | {
      readonly kind: 'refused'
      readonly indexes: readonly number[]
      readonly reason: RefusalReason
    }
  /** The request is too large for the gateway, or for a proxy in front of it. */
  | { readonly kind: 'too large'; readonly reason: RefusalReason }
  /** The gateway may take them later. */
  | { readonly kind: 'later'; readonly why: string; readonly retryAfterMs: number | null }

/** Why an event was refused, in the gateway's words. */
export interface RefusalReason {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** An answer of the gateway, as far as it was read. */
export interface UpstreamAnswer {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | null
  readonly backfill: string | null
  /** `Sluice-Refused`: which events are refused for the same reason. */
  readonly refused: string | null
}

/**
 * Statuses about the request as a whole, from a proxy, a limit or a key, and not about an event of
 * it.
 */
const passing: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429])

/**
 * An event is refused for good only where the gateway itself refuses it and names it. Any other
 * answer may come of a revoked key, a wrong address or a proxy on the way, a 200 that is not the
 * gateway's among them: then the events wait until somebody has mended that.
 */
export function verdictOf(answer: UpstreamAnswer, count: number, nowMs: number): UpstreamVerdict {
  const { status, text, backfill } = answer
  const body = objectOf(text)
  if (status === 200 && Number.isInteger(body?.['ingested_count'])) {
    const seconds = backfill !== null && /^\d{1,9}$/.test(backfill) ? Number(backfill) : null
    return { kind: 'taken', backfillSeconds: seconds }
  }
  const [code, message] = [textAt(body, 'code'), textAt(body, 'message')]
  const reason = { status, code: code ?? '', message: message ?? '' }
  if (status === 413) return { kind: 'too large', reason }
  const index = message === null || code === null ? null : indexIn(message)
  const isFinal = status >= 400 && status < 500 && !passing.has(status)
  if (isFinal && index !== null && index < count) {
    const alike = readIndexes(answer.refused ?? '', count)
    return { kind: 'refused', indexes: alike.includes(index) ? alike : [index], reason }
  }
  const why = `It answers ${status}${code === null ? '' : ` ${code}`}.`
  return { kind: 'later', why, retryAfterMs: retryAfterOf(answer.retryAfter, nowMs) }
}

/** The index in a message such as `events[17].customer_id: there is no customer 'x'.` */
function indexIn(message: string): number | null {
  const text = /^events\[(\d{1,6})\]/.exec(message)?.[1]
  return text === undefined ? null : Number(text)
}

/** Reads a Retry-After, which is a number of seconds or a date, as milliseconds from now. */
function retryAfterOf(text: string | null, nowMs: number): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

function textAt(body: Readonly<Record<string, unknown>> | null, name: string): string | null {
  const value = body?.[name]
  return typeof value === 'string' ? value : null
}
