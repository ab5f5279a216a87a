import { orNotFound } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Keys } from '../../parts/store/keys.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface RevokeKeyNeeds {
  readonly keys: Pick<Keys, 'get'>
  readonly changes: Pick<Changes, 'commit'>
  readonly clock: Clock
}

/**
 * Revokes a key for good; answers since when it is. A second time changes nothing.
 * @throws Fault NOT_FOUND when there is no such key. [requests#keys-and-modes]
 */
export function revokeKey(
  { keys, changes, clock }: RevokeKeyNeeds,
  keyId: string,
): Promise<Instant> {
  return untilWritten({}, 'revoke_key', async () => {
    const was = orNotFound(await keys.get(keyId), 'key', keyId)
    if (was.revokedAt !== null) return was.revokedAt
    const row = { ...was, revokedAt: clock.now() }
    const outcome = await changes.commit(rowAlone(was, { noun: 'api_key', expected: was, row }))
    return outcome === 'committed' ? row.revokedAt : lost
  })
}
