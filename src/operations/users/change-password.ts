import { Fault } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { ConsoleSessions, FoundLogIn } from '../../parts/store/console-sessions.ts'
import type { Attempts } from './attempts.ts'
import type { Passwords } from './passwords.ts'

export interface ChangePasswordNeeds {
  readonly consoleSessions: Pick<ConsoleSessions, 'endAllBut'>
  readonly changes: Pick<Changes, 'commit'>
  readonly passwords: Passwords
  readonly attempts: Attempts
}

export interface PasswordChange {
  readonly current: string
  readonly next: string
  readonly address: string
}

/**
 * Gives a logged-in user another password, and ends all of the user's other sessions.
 * @throws Fault INVALID_REQUEST_BODY where the present one is wrong, or the next one is weak;
 * TOO_MANY_REQUESTS, CONFLICT.
 */
export async function changePassword(
  needs: ChangePasswordNeeds,
  { session, user }: Pick<FoundLogIn, 'session' | 'user'>,
  { current, next, address }: PasswordChange,
): Promise<void> {
  const attempt = { email: user.email, address, knownBrowser: session.sessionId }
  const retryAfterSeconds = needs.attempts.take(attempt)
  if (retryAfterSeconds !== null) {
    throw new Fault('TOO_MANY_REQUESTS', 'Too many wrong passwords: try again later.', {
      retryAfterSeconds,
    })
  }
  if (!(await needs.passwords.matches(user.password, current))) {
    throw new Fault('INVALID_REQUEST_BODY', 'The present password is wrong.')
  }
  needs.attempts.passed(attempt)
  const password = await needs.passwords.kept(next, user)
  const row = { ...user, password, version: user.version + 1 }
  const scope = { businessId: user.businessId, mode: 'test' as const }
  const change = { noun: 'user', expected: user, row } as const
  if ((await needs.changes.commit(rowAlone(scope, change))) !== 'committed') {
    throw new Fault('CONFLICT', 'The password was changed elsewhere just now.')
  }
  await needs.consoleSessions.endAllBut(user.userId, session.sessionId)
}
