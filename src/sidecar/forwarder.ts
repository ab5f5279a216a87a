import { limits } from '../limits.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Instant } from '../std/instant.ts'
import { instantOf, millisecond, parseInstant, second } from '../std/instant.ts'
import type { BackOff } from './back-off.ts'
import type { DeadLetters } from './dead-letters.ts'
import { sidecarLimits } from './limits.ts'
import { traceHeadersOf, untraced } from './line-trace.ts'
import type { Parcel } from './parcel.ts'
import { bodyOf } from './parcel.ts'
import { requestSize } from './request-size.ts'
import type { Spool } from './spool.ts'
import type { Upstream } from './upstream.ts'
import type { RefusalReason, UpstreamVerdict } from './verdict.ts'
import { verdictOf } from './verdict.ts'

/** Brings what is in the spool to the gateway, in order, for as long as it takes. */
export interface Forwarder {
  /** Why the gateway did not take the last parcel; null where it took it. */
  readonly trouble: string | null
  /** How old an event the key may send, in µs, as far as the gateway has said; else 0. */
  readonly backfill: number
  start(): void
  /** Says that there is something in the spool. */
  nudge(): void
  /** Resolves once nothing is in the spool. */
  emptied(): Promise<void>
  /**
   * Stops waiting for more events or for the gateway: sends what is in the spool, each parcel with
   * one try. Ends after `withinMs` at the latest.
   */
  drain(withinMs: number): Promise<void>
}

export interface ForwarderOptions {
  readonly spool: Spool
  readonly upstream: Upstream
  readonly deadLetters: DeadLetters
  readonly backOff: BackOff
  readonly clock: Clock
  readonly logger: Logger
  /** The most events in a request to the gateway. */
  readonly eventsMax: number
  /** How long the first event of a request waits for others. */
  readonly lingerMs: number
  readonly metrics: {
    forwarded(events: number): void
    refused(events: number): void
    retried(): void
  }
}

/**
 * The forwarder sends a parcel until the gateway has answered 200 for all of it, but for events
 * that it refuses for good. Only then does the parcel leave the spool.
 *
 * States. Waiting: the spool is empty; a nudge ends it. Gathering: the spool holds less than a
 * parcel; it ends when the parcel is full or has waited for `lingerMs`. Sending: an answer ends it.
 * Backing off: the gateway has not taken the parcel, and may take it later; time or `drain` ends
 * it.
 */
export function forwarder(options: ForwarderOptions): Forwarder {
  const { spool, upstream, deadLetters, backOff, clock, logger, eventsMax, metrics } = options
  const size = requestSize(eventsMax)
  let [trouble, backfill]: [string | null, number] = [null, 0]
  let [draining, ended] = [false, false]
  let held: Held | null = null
  let running: Promise<void> = Promise.resolve()
  let wake: () => void = () => undefined
  let waiters: (() => void)[] = []
  return {
    get trouble() {
      return trouble
    },
    get backfill() {
      return backfill
    },
    start() {
      running = run()
    },
    nudge: () => wake(),
    emptied,
    drain,
  }

  async function emptied(): Promise<void> {
    if (spool.events > 0) await new Promise<void>((resolve) => void waiters.push(resolve))
  }

  async function drain(withinMs: number): Promise<void> {
    draining = true
    wake()
    const timer = setTimeout(() => {
      ended = true
      upstream.close()
      wake()
    }, withinMs)
    await running
    clearTimeout(timer)
    upstream.close()
  }

  async function run(): Promise<void> {
    while (!ended) {
      if (spool.events === 0) {
        for (const tell of waiters) tell()
        waiters = []
        if (draining) return
        await pause(null, () => spool.events > 0)
      } else {
        await gather()
        await round()
      }
    }
  }

  async function gather(): Promise<void> {
    if (backOff.failures > 0) return
    await pause(options.lingerMs, () => spool.events >= eventsMax)
  }

  /** Resolves when `ms` have passed, when `enough` holds at a nudge, or when draining begins. */
  async function pause(ms: number | null, enough: () => boolean): Promise<void> {
    if (draining || enough()) return
    await new Promise<void>((resolve) => {
      const timer = ms === null ? null : setTimeout(done, ms)
      wake = () => {
        if (draining || enough()) done()
      }

      function done(): void {
        if (timer !== null) clearTimeout(timer)
        wake = () => undefined
        resolve()
      }
    })
  }

  async function round(): Promise<void> {
    try {
      held ??= holding(
        await spool.next({ events: size.events, bytes: sidecarLimits.parcelBytesMax }),
      )
      if (held === null) return
      const obstacle = await send(held)
      if (obstacle !== null) return await later(obstacle)
      backOff.succeeded()
      if (trouble !== null) logger.info({ events: spool.events }, 'The gateway takes events.')
      trouble = null
      await spool.forwarded(held.parcel)
      held = null
    } catch (error) {
      // The disk failed, or this program did: the spool is as it was, and the parcel is sent again.
      logger.error({ err: error }, 'A round of forwarding failed.')
      await later({ why: 'A round of forwarding failed.', retryAfterMs: null })
    }
  }

  /** Sends what is left of the parcel. Null: the gateway has all that it will ever take of it. */
  async function send(held: Held): Promise<Obstacle | null> {
    while (held.lines.length > 0) {
      const part = held.lines.slice(0, size.events)
      const verdict = await sent(part)
      if (verdict.kind === 'later') return verdict
      if (verdict.kind === 'taken') {
        backfill = (verdict.backfillSeconds ?? 0) * second
        size.taken()
        metrics.forwarded(part.length)
        held.lines = held.lines.slice(part.length)
      } else if (verdict.kind === 'too large' && part.length > 1) {
        size.halve(part.length)
      } else {
        const indexes = verdict.kind === 'refused' ? verdict.indexes : [0]
        const named = indexes.map((index) => part[index] ?? '')
        const refused = refusedFor(verdict.reason, part, named)
        if (refused === null) return clocksDiffer
        await refuse(refused, verdict.reason)
        const gone = new Set(refused)
        held.lines = held.lines.filter((line) => !gone.has(line))
      }
    }
    return null
  }

  async function sent(lines: readonly string[]): Promise<UpstreamVerdict> {
    try {
      const answer = await upstream.send(bodyOf(lines), traceHeadersOf(lines))
      return verdictOf(answer, lines.length, clock.now() / millisecond)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return { kind: 'later', why: `It does not answer (${code ?? message}).`, retryAfterMs: null }
    }
  }

  async function refuse(lines: readonly string[], reason: RefusalReason): Promise<void> {
    await deadLetters.add(lines.map(untraced), reason)
    metrics.refused(lines.length)
    const { status, code } = reason
    logger.warn({ status, code, events: lines.length }, 'The gateway refuses events for good.')
  }

  /**
   * The lines that would all get this answer, or null where it may change. A customer that does not
   * exist refuses all of its events in the request. A timestamp refuses its event only if this
   * machine's clock calls it too old, too. Else the two clocks differ, and the event is kept until
   * they agree.
   */
  function refusedFor(
    { status, code }: RefusalReason,
    lines: readonly string[],
    named: readonly string[],
  ): readonly string[] | null {
    if (code === 'EVENT_TIMESTAMP_OUT_OF_RANGE') {
      const old = named.filter((line) => isOld(line, clock.now()))
      return old.length > 0 ? old : null
    }
    if (status !== 404) return named
    const { customer } = eventOf(named[0])
    return lines.filter((line) => eventOf(line).customer === customer)
  }

  async function later({ why, retryAfterMs }: Obstacle): Promise<void> {
    if (draining) ended = true
    metrics.retried()
    const ms = backOff.failed(retryAfterMs)
    if (trouble !== why) {
      logger.warn({ why, events: spool.events, ms: Math.round(ms) }, 'The gateway takes no events.')
    }
    trouble = why
    await pause(ms, () => false)
  }
}

/** A parcel, and those of its lines that the gateway has neither taken nor refused yet. */
interface Held {
  readonly parcel: Parcel
  lines: readonly string[]
}

const holding = (parcel: Parcel | null): Held | null =>
  parcel === null ? null : { parcel, lines: parcel.lines }

type Obstacle = Pick<Extract<UpstreamVerdict, { kind: 'later' }>, 'why' | 'retryAfterMs'>

const clocksDiffer: Obstacle = { why: 'Its clock and ours differ.', retryAfterMs: null }

function isOld(line: string, now: Instant): boolean {
  const at = parseInstant(eventOf(line).timestamp) ?? instantOf(0)
  return at < now - limits.eventAgeMax
}

function eventOf(line: string | undefined): {
  readonly customer: string
  readonly timestamp: string
} {
  const { customer_id: customer, timestamp } = JSON.parse(line ?? '{}')
  return { customer: String(customer), timestamp: String(timestamp) }
}
