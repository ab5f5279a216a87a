import { Fault } from '../../faults.ts'
import type { Change } from '../../parts/store/changes.ts'
import type { AccountNeeds } from '../accounts/change-accounts.ts'

/**
 * What an operation needs, with a store that takes its change and writes nothing: a command that is
 * carried out with it tells what it would do, and refuses what it refuses. [security#the-console]
 */
export function writingNothing<Needs extends AccountNeeds>(needs: Needs) {
  const written: Change[] = []
  const commit = async (change: Change) => {
    written.push(change)
    return 'committed' as const
  }
  const { wrote: _, ...rest } = needs
  return { needs: { ...rest, changes: { ...needs.changes, commit } }, written }
}

/** The change would wait for what is due before it, but looking ahead changes nothing: 503. */
export const dueBefore = (): Fault =>
  new Fault('UNAVAILABLE', 'Something is due before this; try again in a moment.', {
    retryAfterSeconds: 1,
  })
