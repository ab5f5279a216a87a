import type { Instant } from '../std/instant.ts'
import { instantOf } from '../std/instant.ts'

/** Where time comes from. Rules never ask a clock: they are given `at`. */
export interface Clock {
  /** Real time in microseconds. Finer than Date.now, and never behind an earlier answer. */
  now(): Instant
}

/** A clock that no step of the machine's clock moves at once. [guarantees#clocks] */
export interface BelievedClock extends Clock {
  /**
   * Real time for what cannot be undone: dropping, charging, renewing, expiring, calling an id old.
   * It is behind `now` for ten minutes where a process cannot know for how long it was gone.
   */
  believed(): Instant
}

/** The machine's clock, for processes that live no longer than a command. */
export function systemClock(): Clock {
  let latest = 0
  const { timeOrigin } = performance
  return { now }

  function now(): Instant {
    const micros = Math.floor((timeOrigin + performance.now()) * 1_000)
    const wall = Date.now() * 1_000
    // performance.now() does not follow a step of the wall clock: when they are more than a second
    // apart, the wall clock counts.
    const read = Math.abs(micros - wall) > 1_000_000 ? wall : micros
    latest = read > latest || latest - read > 1_000_000 ? read : latest
    return instantOf(latest)
  }
}

/**
 * What must be added to the process's monotonic time to get the present time, and the believed
 * time. All threads see this memory; the thread that keeps the time writes it (`keeping-time.ts`).
 */
export type TimeCells = Float64Array<SharedArrayBuffer>

export const timeCells = (): TimeCells => new Float64Array(new SharedArrayBuffer(16))

/** Monotonic time of the process in microseconds, the same in all of its threads. */
export function processTime(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000_000 + nanoseconds / 1_000
}

/** The time that the main thread keeps, in any thread. */
export function keptClock(cells: TimeCells): BelievedClock {
  // performance.now() costs half as much as asking for the process's time, and is the same clock.
  const origin = processTime() - performance.now() * 1_000
  let latest = 0
  return { now, believed: () => instantOf(read(1)) }

  function now(): Instant {
    const at = read(0)
    latest = at > latest || latest - at > 1_000_000 ? at : latest
    return instantOf(latest)
  }

  function read(cell: 0 | 1): number {
    return Math.floor(origin + performance.now() * 1_000 + (cells[cell] ?? 0))
  }
}
