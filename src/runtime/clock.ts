import type { Instant } from '../std/instant.ts'
import { instantOf } from '../std/instant.ts'

/** Where time comes from. Rules never ask it: they are given `at`. */
export interface Clock {
  /** Real time in microseconds; finer than Date.now, and never behind an earlier answer. */
  now(): Instant
}

export function systemClock(): Clock {
  let latest = 0
  const { timeOrigin } = performance
  return { now }

  function now(): Instant {
    const micros = Math.floor((timeOrigin + performance.now()) * 1_000)
    const wall = Date.now() * 1_000
    // performance.now() does not follow a step of the wall clock: past a second apart, believe the
    // wall.
    const read = Math.abs(micros - wall) > 1_000_000 ? wall : micros
    latest = read > latest || latest - read > 1_000_000 ? read : latest
    return instantOf(latest)
  }
}
