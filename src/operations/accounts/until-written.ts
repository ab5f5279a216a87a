import { Fault } from '../../faults.ts'

/** What may be tried again after a lost race: the label of the metric. */
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
  /** Called for every try that the store refused, for metrics. */
  readonly retried?: (operation: Operation) => void
}

/** A try that the store refused, because what it was decided on has moved. */
export const lost = Symbol('lost')

/** Each lost race means that another change succeeded, so fifty in a row mean trouble. */
const triesMax = 50

/**
 * Loads with versions, decides (pure), and writes if what was decided on still holds; otherwise
 * does all of it again. This is the only optimistic retry that there is. Throws 503 when it was
 * refused fifty times. [machines#writers]
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
