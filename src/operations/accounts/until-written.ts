import { Fault } from '../../faults.ts'

/** What is tried again when it loses a race: the label of its metric. */
export type Operation =
  | 'adjust_balance'
  | 'cancel_scheduled_change'
  | 'change_plan'
  | 'cycle_end'
  | 'expiry'
  | 'own_cycle_end'
  | 'settle'
  | 'subscribe'
  | 'update_credit_entitlement'
  | 'update_subscription'
  | 'void'

export interface Tries {
  /** Told of every try that was refused by the store, where somebody counts them. */
  readonly retried?: (operation: Operation) => void
}

/** One try that the store refused: what it was decided on has moved. */
export const lost = Symbol('lost')

/** Each lost race means that somebody else's change went in. */
const triesMax = 50

/**
 * Load with version → decide (pure) → write if what was decided on still holds, else all of it
 * again: the one optimistic retry that there is. 503 when it was refused fifty times.
 * [machines#writers]
 */
export async function untilWritten<T>(
  tries: Tries,
  operation: Operation,
  once: () => Promise<T | typeof lost>,
): Promise<T> {
  for (let number = 1; number <= triesMax; number += 1) {
    const written = await once()
    if (written !== lost) return written
    tries.retried?.(operation)
  }
  throw new Fault('UNAVAILABLE', 'What this is about is changing too fast just now; try again.', {
    retryAfterSeconds: 1,
  })
}
