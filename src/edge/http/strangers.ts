import { limits } from '../../limits.ts'
import type { Turns } from './turns.ts'
import { turns } from './turns.ts'

/**
 * The turns of requests whose keys are not known yet. They have a quarter of the thread while good
 * keys are among them, as when a server has just started, and a twentieth once many in a row were
 * guesses. To refuse one for want of a turn would cost as much as to judge it.
 * [requests#keys-and-modes]
 */
export interface Strangers extends Turns {
  /** Says whether the key of one that had its turn was good. */
  turnedOut(isGood: boolean): void
}

export function openStrangers(): Strangers {
  let guesses = 0
  const { wait } = turns({
    sliceMs: limits.strangerSliceMs,
    restMs: () => (guesses < limits.guessesInARow ? limits.strangerRestMs : limits.guessingRestMs),
    waitMs: Number.POSITIVE_INFINITY,
    waitingMax: limits.strangersWaitingMax,
  })
  return {
    wait,
    turnedOut(isGood) {
      guesses = isGood ? 0 : guesses + 1
    },
  }
}
