import { limits } from '../../limits.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after, hour, instantOfMs, minute, second } from '../../std/instant.ts'

/**
 * How long each attempt waits after the failure before it; the first is made at once.
 * [webhooks#attempts]
 */
const delays: readonly Duration[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
]

/**
 * When the attempt after the failed attempt number `attempt` is due; null: that was the last one. A
 * Retry-After can lengthen the delay, never shorten it. [webhooks#attempts]
 */
export function nextAttemptAt(
  attempt: number,
  failedAt: Instant,
  retryAfter: Duration | null,
): Instant | null {
  const delay = delays[attempt]
  if (delay === undefined) return null
  const asked = Math.min(retryAfter ?? 0, limits.webhookRetryAfterMax)
  return after(failedAt, Math.max(delay, asked))
}

/** Reads a Retry-After: whole seconds, or an HTTP date. Null when absent or unreadable. */
export function parseRetryAfter(text: string | null, at: Instant): Duration | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * second
  // Only the form that HTTP prescribes: Date.parse would accept nearly anything.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const until = Date.parse(text)
  return Number.isNaN(until) ? null : Math.max(0, instantOfMs(until) - at)
}
