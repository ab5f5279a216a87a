import { Fault } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { User, Users } from '../../parts/store/users.ts'
import type { Clock } from '../../runtime/clock.ts'
import { hashOfSecretWord, mayBeSecretWord } from '../../runtime/secret-words.ts'
import type { Passwords } from './passwords.ts'

export interface SetUpUserNeeds {
  readonly users: Pick<Users, 'findBySetup'>
  readonly changes: Pick<Changes, 'commit'>
  readonly passwords: Pick<Passwords, 'kept'>
  readonly clock: Clock
}

/**
 * Whose link it is. @throws Fault SETUP_LINK_IS_GONE when nobody's, any more.
 */
export async function userOfSetup(
  { users, clock }: Pick<SetUpUserNeeds, 'users' | 'clock'>,
  word: string,
): Promise<User> {
  const user = mayBeSecretWord(word) ? await users.findBySetup(hashOfSecretWord(word)) : null
  if (user?.setupEndsAt == null || user.setupEndsAt <= clock.now()) throw gone()
  return user
}

/**
 * Gives a user the password, once: of two that use the link at the same time one is refused.
 * @throws Fault SETUP_LINK_IS_GONE, INVALID_REQUEST_BODY. [security#the-console]
 */
export async function setUpUser(
  needs: SetUpUserNeeds,
  { word, password }: { readonly word: string; readonly password: string },
): Promise<User> {
  const was = await userOfSetup(needs, word)
  const kept = await needs.passwords.kept(password, was)
  const row: User = {
    ...was,
    password: kept,
    setupHash: null,
    setupEndsAt: null,
    version: was.version + 1,
  }
  const scope = { businessId: was.businessId, mode: 'test' as const }
  const change = { noun: 'user', expected: was, row } as const
  if ((await needs.changes.commit(rowAlone(scope, change))) !== 'committed') throw gone()
  return row
}

const gone = (): Fault =>
  new Fault(
    'SETUP_LINK_IS_GONE',
    'This link was used, or is older than a day: ask the operator of this server for another one.',
  )
