import { orNotFound } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Users } from '../../parts/store/users.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface RemoveUserNeeds {
  readonly users: Pick<Users, 'get'>
  readonly changes: Pick<Changes, 'commit'>
  readonly clock: Clock
}

/**
 * Removes a person for good: the link and all sessions end with the same commit. Answers since
 * when; a second time changes nothing. @throws Fault NOT_FOUND when there is no such user.
 */
export function removeUser(
  { users, changes, clock }: RemoveUserNeeds,
  userId: string,
): Promise<Instant> {
  return untilWritten({}, 'remove_user', async () => {
    const was = orNotFound(await users.get(userId), 'user', userId)
    if (was.removedAt !== null) return was.removedAt
    const removedAt = clock.now()
    const gone = { password: null, setupHash: null, setupEndsAt: null, removedAt }
    const row = { ...was, ...gone, version: was.version + 1 }
    const change = { noun: 'user', expected: was, row } as const
    const scope = { businessId: was.businessId, mode: 'test' as const }
    const outcome = await changes.commit(rowAlone(scope, change))
    return outcome === 'committed' ? removedAt : lost
  })
}
