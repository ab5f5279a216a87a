import type { Deliveries, Forgotten } from '../../parts/store/deliveries.ts'
import type { WebhookStreams } from '../../parts/store/webhook-streams.ts'
import type { BelievedClock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Loop } from '../../runtime/loop.ts'
import { loop } from '../../runtime/loop.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after, day, earlierOf, hour, instantOf } from '../../std/instant.ts'

export interface KeepingNeeds {
  readonly deliveries: Pick<Deliveries, 'oldestOver' | 'forget'>
  readonly streams: Pick<WebhookStreams, 'lapse'>
  /** For how long messages and attempts can be read, and sent again. */
  readonly retention: Duration
  /** What is past its retention goes by believed time. [guarantees#clocks] */
  readonly clock: Pick<BelievedClock, 'believed'>
  readonly logger: Logger
  /** Called after every run that deleted something made before `before`. */
  readonly dropped: (rows: Forgotten, before: Instant) => void
}

/** The time between two runs, by monotonic time, so that no step of a clock hurries them. */
const everyMs = 3_600_000
/** How many days one run deletes: should the time be wrong all the same, the damage is bounded. */
const daysMax = 3
/** How much longer than its messages a stream is kept: it is written down seldom who reads it. */
const lapseSpare = 2 * hour
/** How many messages one statement deletes, so that it holds nobody up. */
const rowsMax = 500

interface Run {
  readonly before: Instant
  readonly rows: Forgotten
}

/**
 * Deletes messages by whole days of their making, oldest first, but never one that is still due.
 * Several processes may do it at the same time. A stream that nobody has read for that long is kept
 * no more: no reader could come back to it without a gap.
 */
export function openKeeping(needs: KeepingNeeds): Loop {
  const { deliveries, streams, logger, dropped } = needs
  let run: Run | null = null
  return loop({ name: 'webhook retention', logger, idleMs: everyMs, work })

  async function work(): Promise<boolean> {
    run ??= await begun()
    if (run === null) return false
    const gone = await deliveries.forget(run.before, rowsMax)
    run = { before: run.before, rows: sumOf(run.rows, gone) }
    if (gone.messages === rowsMax) return true
    if (run.rows.messages > 0) dropped(run.rows, run.before)
    run = null
    return false
  }

  /** Null when nothing is past its retention. */
  async function begun(): Promise<Run | null> {
    const end = after(needs.clock.believed(), -needs.retention)
    await streams.lapse(after(end, -lapseSpare))
    const oldest = await deliveries.oldestOver()
    if (oldest === null) return null
    const past = dayOf(end)
    const before = earlierOf(past, after(dayOf(oldest), daysMax * day))
    return oldest < before ? { before, rows: nothing } : null
  }
}

const nothing: Forgotten = { messages: 0, deliveries: 0, attempts: 0 }

const sumOf = (a: Forgotten, b: Forgotten): Forgotten => ({
  messages: a.messages + b.messages,
  deliveries: a.deliveries + b.deliveries,
  attempts: a.attempts + b.attempts,
})

const dayOf = (at: Instant): Instant => instantOf(Math.floor(at / day) * day)
