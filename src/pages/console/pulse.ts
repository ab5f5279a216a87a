import type { Scope } from '../../parts/store/scope.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { EngineReading } from '../../runtime/engine-thread.ts'
import { scopeCounts, scopeName } from '../../runtime/scope-counts.ts'
import type { Instant } from '../../std/instant.ts'
import { millisecond, second } from '../../std/instant.ts'
import type { ServerReading } from './exposition.ts'
import { freshnessBetween, readExposition } from './exposition.ts'

/** How things are going just now, in this process. */
export interface PulseFigures {
  readonly at: Instant
  /** Of the business and mode; of what this process took in. */
  readonly acceptedPerSecond: number
  /** Of the business and mode: what became usage; null where this process measures nothing. */
  readonly settledPerSecond: number | null
  /** Of all businesses together, as are those below. */
  readonly freshnessP50Ms: number | null
  readonly freshnessP99Ms: number | null
  readonly lag: number
  readonly unaccounted: number | null
}

export interface Pulse {
  /** Counts events that were taken in. */
  accepted(scope: Scope, count: number): void
  now(scope: Scope): PulseFigures
  /** Oldest first, each figures of one step; since the process began, at most. */
  history(scope: Scope, span: PulseSpan): readonly PulseFigures[]
  /** Calls `told` every second until it is left. */
  follow(told: () => void): () => void
  stop(): void
}

export type PulseSpan = 'hour' | 'day'

const stepsOf: Readonly<Record<PulseSpan, { readonly seconds: number; readonly max: number }>> = {
  hour: { seconds: 10, max: 360 },
  day: { seconds: 120, max: 720 },
}

export interface PulseNeeds {
  readonly reading: () => Promise<EngineReading>
  readonly clock: Clock
}

interface Moment {
  readonly at: Instant
  readonly server: ServerReading
  /** Events that were taken in since the process began, by business and mode. */
  readonly accepted: ReadonlyMap<string, number>
  /** Those that became usage. */
  readonly settled: ReadonlyMap<string, number>
}

const tickMs = 1_000
/** Rates are those of so many seconds, freshness that of a minute: neither jumps about. */
const [rateSeconds, freshnessSeconds] = [5, 60]

/**
 * Reads the metrics every second while somebody looks, else every ten, and at once: what comes
 * before the first reading is in no figure.
 */
export function openPulse({ reading, clock }: PulseNeeds): Pulse {
  const followers = new Set<() => void>()
  const accepted = scopeCounts()
  const recent: Moment[] = []
  const kept: Record<PulseSpan, Moment[]> = { hour: [], day: [] }
  let [tick, busy] = [0, false]
  const timer = setInterval(() => void beat(), tickMs)
  timer.unref()
  void beat()
  return { accepted: accepted.add, now, history, follow, stop: () => clearInterval(timer) }

  async function beat(): Promise<void> {
    const isStep = tick % stepsOf.hour.seconds === 0
    tick += 1
    if (busy || (followers.size === 0 && !isStep)) return
    busy = true
    // A scrape that fails is left out: the next one shows what happened meanwhile.
    const read = await reading().catch(() => null)
    busy = false
    if (read === null) return
    const moment = {
      at: clock.now(),
      server: readExposition(read.text),
      accepted: accepted.now(),
      settled: read.billed,
    }
    keep(recent, moment, { seconds: 1, max: freshnessSeconds + 10 })
    keep(kept.hour, moment, stepsOf.hour)
    keep(kept.day, moment, stepsOf.day)
    for (const told of followers) told()
  }

  function now(scope: Scope): PulseFigures {
    const last = recent.at(-1)
    if (last === undefined) return nothingAt(clock.now())
    const before = (seconds: number) =>
      recent.find(({ at }) => last.at - at <= seconds * second) ?? last
    const rates = figuresBetween(before(rateSeconds), last, scope)
    const minute = figuresBetween(before(freshnessSeconds), last, scope)
    const { freshnessP50Ms, freshnessP99Ms } = minute
    return { ...rates, freshnessP50Ms, freshnessP99Ms }
  }

  function history(scope: Scope, span: PulseSpan): readonly PulseFigures[] {
    const moments = kept[span]
    return moments.slice(1).map((moment, index) => {
      return figuresBetween(moments[index] ?? moment, moment, scope)
    })
  }

  function follow(told: () => void): () => void {
    followers.add(told)
    return () => void followers.delete(told)
  }
}

/** Every so many seconds one, so many of them. */
function keep(all: Moment[], moment: Moment, step: { seconds: number; max: number }): void {
  const last = all.at(-1)
  // A tick comes a little early or late.
  if (last !== undefined && moment.at - last.at < (step.seconds - 0.5) * second) return
  all.push(moment)
  if (all.length > step.max + 1) all.shift()
}

function figuresBetween(before: Moment, after: Moment, scope: Scope): PulseFigures {
  const seconds = Math.max(1, (after.at - before.at) / second)
  const name = scopeName(scope)
  const rateOf = (counts: 'accepted' | 'settled') => {
    const more = (after[counts].get(name) ?? 0) - (before[counts].get(name) ?? 0)
    return Math.max(0, more) / seconds
  }
  const inMs = (share: number) => {
    const found = freshnessBetween(before.server, after.server, share)
    return found === null ? null : (found * second) / millisecond
  }
  return {
    at: after.at,
    acceptedPerSecond: rateOf('accepted'),
    settledPerSecond: after.server.unaccounted === null ? null : rateOf('settled'),
    freshnessP50Ms: inMs(0.5),
    freshnessP99Ms: inMs(0.99),
    lag: after.server.lag,
    unaccounted: after.server.unaccounted,
  }
}

const nothingAt = (at: Instant): PulseFigures => ({
  at,
  acceptedPerSecond: 0,
  settledPerSecond: null,
  freshnessP50Ms: null,
  freshnessP99Ms: null,
  lag: 0,
  unaccounted: null,
})
