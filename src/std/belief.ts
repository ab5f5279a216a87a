import type { Duration, Instant } from './instant.ts'
import { after, earlierOf, instantOf, laterOf, minute, second } from './instant.ts'

/** All clocks, read at one moment. */
export interface ClockReading {
  /** Time since an unknown moment; nobody can set it. */
  readonly monotonic: Duration
  /** The time that the machine's clock shows. */
  readonly wall: Instant
  /** The time that the store's clock shows; null while that is not known. */
  readonly store: Instant | null
}

/**
 * What this process takes the present time to be: monotonic time and an offset. The wall clock says
 * when to change the offset, but is believed only when it has been steady for ten minutes.
 * [guarantees#clocks]
 */
export interface Belief {
  readonly offset: Duration
  /** Monotonic time of the last reading. */
  readonly lookedAt: Duration
  /** Another offset that the wall clock asks for, and since when; null while the two agree. */
  readonly doubted: { readonly offset: Duration; readonly since: Duration } | null
}

/** How much the clocks of one machine may differ and still count as equal. */
const near: Duration = second

/** How fast a small difference is made up for: 500 millionths, like NTP. */
const slewPerSecond = 500

/** For how long a clock must have been steady. [guarantees#clocks] */
export const trial: Duration = 10 * minute

/** How much the clocks of two machines may differ. */
export const apart: Duration = minute

export const beliefAt = (at: Instant, { monotonic }: ClockReading): Belief => ({
  offset: at - monotonic,
  lookedAt: monotonic,
  doubted: null,
})

export const believedTime = (belief: Belief, monotonic: Duration): Instant =>
  instantOf(Math.floor(monotonic + belief.offset))

/**
 * The belief after another reading. A small difference is made up for slowly, so that a drift moves
 * time no faster than a steady clock may run. Any larger difference is a doubt: time goes on as
 * before until the wall clock has stayed where it is for ten minutes, and the store's clock agrees.
 * [guarantees#clocks]
 */
export function believing(belief: Belief, reading: ClockReading): Belief {
  const { monotonic, wall, store } = reading
  const { doubted } = belief
  const seen = wall - monotonic
  const gap = seen - belief.offset
  if (Math.abs(gap) <= near) {
    const most = ((monotonic - belief.lookedAt) / second) * slewPerSecond
    const moved = Math.max(-most, Math.min(most, gap))
    return { offset: belief.offset + moved, lookedAt: monotonic, doubted: null }
  }
  if (doubted === null || Math.abs(seen - doubted.offset) > near) {
    return { ...belief, lookedAt: monotonic, doubted: { offset: seen, since: monotonic } }
  }
  const isSteady = monotonic - doubted.since >= trial
  const isSeconded = store !== null && Math.abs(store - wall) <= apart
  if (isSteady && isSeconded) return { offset: seen, lookedAt: monotonic, doubted: null }
  return { ...belief, lookedAt: monotonic }
}

/** What earlier processes have believed. */
export interface Remembered {
  readonly at: Instant
  /** What the store's clock showed then. */
  readonly toldAt: Instant
  /** Monotonic time then, if it comes from this machine and this boot of it; else null. */
  readonly monotonic: Duration | null
}

/** The beliefs that a process begins with. */
export interface FirstBeliefs {
  /** For what comes in: stamps and logs. */
  readonly present: Belief
  /** For what cannot be undone: dropping, charging, renewing, expiring. */
  readonly sure: Belief
}

/**
 * A process that starts has lost its monotonic time, unless an earlier one on this machine has
 * stored it. Without that, the time since the last memory may be real, or come from a wrong clock.
 * So what comes in is stamped by the clocks that agree, and what cannot be undone goes on from the
 * memory until ten minutes are over. Of two clocks that differ the earlier one is the safe one.
 * [guarantees#clocks]
 */
export function firstBeliefs(reading: ClockReading, memory: Remembered | null): FirstBeliefs {
  const { wall, store, monotonic } = reading
  const lower = store === null || isNear(wall, store) ? wall : earlierOf(wall, store)
  if (memory === null) return both(beliefAt(lower, reading))
  const since = memory.monotonic === null ? null : monotonic - memory.monotonic
  if (since !== null && since >= 0) {
    const expected = after(memory.at, since)
    return both(beliefAt(isNear(wall, expected) ? wall : expected, reading))
  }
  if (isNear(wall, memory.at)) return both(beliefAt(wall, reading))
  const expected = store === null ? memory.at : after(memory.at, store - memory.toldAt)
  const isWitnessed = isNear(wall, expected) || (store !== null && isNear(wall, store))
  const present = isWitnessed ? wall : laterOf(memory.at, earlierOf(wall, expected))
  return { present: beliefAt(present, reading), sure: beliefAt(memory.at, reading) }
}

const isNear = (one: Instant, other: Instant): boolean => Math.abs(one - other) <= apart
const both = (belief: Belief): FirstBeliefs => ({ present: belief, sure: belief })
