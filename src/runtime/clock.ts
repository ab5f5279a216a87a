import type { Instant } from '../std/instant.ts'
import { instantOf } from '../std/instant.ts'

/** Where time comes from. Rules never ask it: they are given `at`. */
export interface Clock {
  /** Real time in microseconds; finer than Date.now, and never behind an earlier answer. */
  now(): Instant
}

/** A clock that no step of the machine's own moves at once. [guarantees#clocks] */
export interface BelievedClock extends Clock {
  /**
   * Real time for what cannot be taken back: whoever drops, charges, renews, expires, or calls an
   * id old, goes by it. It is behind `now` for ten minutes where a process cannot know for how long
   * it was gone.
   */
  believed(): Instant
}

/** The machine's clock, for what lives no longer than a command. */
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

/**
 * What is added to the process's monotonic time to have the present time, and the believed one:
 * memory that all threads see. Who keeps time writes it (`keeping-time.ts`).
 */
export type TimeCells = Float64Array<SharedArrayBuffer>

export const timeCells = (): TimeCells => new Float64Array(new SharedArrayBuffer(16))

/** Monotonic time of the process in microseconds: the same in all of its threads. */
export function processTime(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000_000 + nanoseconds / 1_000
}

/** The kept time, in any thread. */
export function keptClock(cells: TimeCells): BelievedClock {
  // Half the cost of asking for the process's time, and of the same clock.
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
