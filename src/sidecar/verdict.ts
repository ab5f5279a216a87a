/** What an answer of the gateway says of the events that were sent. */
export type UpstreamVerdict =
  /** It has them. */
  | { readonly kind: 'taken'; readonly backfillSeconds: number | null }
  /** It will never take the one at `index`, nor any like it. */
  | { readonly kind: 'refused'; readonly index: number; readonly reason: RefusalReason }
  /** There are too many bytes for it, or for a proxy in front of it. */
  | { readonly kind: 'too large'; readonly reason: RefusalReason }
  /** It may take them later. */
  | { readonly kind: 'later'; readonly why: string; readonly retryAfterMs: number | null }

/** In the gateway's words. */
export interface RefusalReason {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** An answer, as far as it is read. */
export interface UpstreamAnswer {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | null
  readonly backfill: string | null
}

/** What a proxy, a limit, or a key says about the request, and nothing about an event of it. */
const passing: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429])

/**
 * For good is only what the gateway itself says of an event that it names. All else may be a key
 * that is revoked, a wrong address or a proxy on the way: events wait until somebody has seen to
 * it. So does a 200 that is not the gateway's.
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
  if (isFinal && index !== null && index < count) return { kind: 'refused', index, reason }
  const why = `It answers ${status}${code === null ? '' : ` ${code}`}.`
  return { kind: 'later', why, retryAfterMs: retryAfterOf(answer.retryAfter, nowMs) }
}

/** Such as `events[17].customer_id: there is no customer 'x'.` */
function indexIn(message: string): number | null {
  const text = /^events\[(\d{1,6})\]/.exec(message)?.[1]
  return text === undefined ? null : Number(text)
}

/** Seconds, or a date. */
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
