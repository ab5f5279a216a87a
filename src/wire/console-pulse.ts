import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'

interface ShownPulse {
  readonly at: Instant
  readonly acceptedPerSecond: number
  readonly settledPerSecond: number | null
  readonly freshnessP50Ms: number | null
  readonly freshnessP99Ms: number | null
  readonly lag: number
  readonly unaccounted: number | null
}

/** `isAlone`: no other business has its events counted in it. */
export const pulseView = (pulse: ShownPulse, isAlone: boolean) => ({
  at: formatInstant(pulse.at),
  accepted_per_second: rounded(pulse.acceptedPerSecond),
  settled_per_second: pulse.settledPerSecond === null ? null : rounded(pulse.settledPerSecond),
  freshness_p50_ms: pulse.freshnessP50Ms === null ? null : rounded(pulse.freshnessP50Ms),
  freshness_p99_ms: pulse.freshnessP99Ms === null ? null : rounded(pulse.freshnessP99Ms),
  lag_events: isAlone || pulse.lag === 0 ? pulse.lag : null,
  unaccounted_events: pulse.unaccounted,
})

const rounded = (value: number): number => Math.round(value * 10) / 10
