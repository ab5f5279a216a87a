import type { BelievedClock } from '../../src/runtime/clock.ts'
import type { Belief, ClockReading } from '../../src/std/belief.ts'
import { beliefAt, believedTime, believing } from '../../src/std/belief.ts'
import type { Duration } from '../../src/std/instant.ts'
import { after, day, hour, second } from '../../src/std/instant.ts'
import type { World } from './world.ts'

/** How far clocks step, forward or back; a drift gains or loses a part of all time. */
export const clockSteps: readonly Duration[] = [
  hour,
  -hour,
  3 * day,
  -3 * day,
  120 * day,
  -120 * day,
]
export const clockDrifts: readonly number[] = [0.000_3, -0.000_3, 0.01, -0.01, 0.5]

/**
 * The clock of a simulated machine, which steps and drifts, and the time that a process on it
 * believes.
 */
export interface BentClock extends BelievedClock {
  /** Moves the machine's clock by so much at once. */
  step(by: Duration): void
  /** Lets it gain so much of the time from now on. */
  drift(rate: number): void
  /**
   * Makes the process believe a wrong time, as after ten minutes of it: everything that it does
   * goes by that.
   */
  believe(off: Duration): void
  /** How far the process's time is from where it should be. */
  error(): Duration
}

export function bentClock(world: World): BentClock {
  let [off, wallOff, rate, since] = [0, 0, 0, world.now() as number]
  let belief: Belief = beliefAt(world.now(), reading())
  return { now, believed: now, step, drift, believe, error }

  function wallError(): Duration {
    return wallOff + rate * (world.now() - since)
  }

  function reading(): ClockReading {
    const wall = after(world.now(), Math.round(wallError()))
    return { monotonic: world.now(), wall, store: wall }
  }

  function looked(): Belief {
    // Looks every second, like the server, whether or not anybody asks for the time.
    if (world.now() - belief.lookedAt >= second) belief = believing(belief, reading())
    return belief
  }

  function now() {
    return after(believedTime(looked(), world.now()), off)
  }

  function step(by: Duration): void {
    wallOff += by
  }

  function drift(by: number): void {
    ;[wallOff, rate, since] = [wallError(), by, world.now()]
  }

  function believe(by: Duration): void {
    off += by
  }

  function error(): Duration {
    return now() - world.now() - off
  }
}
