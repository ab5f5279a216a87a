import { Fault } from '../../faults.ts'
import type {
  ConsoleSession,
  ConsoleSessions,
  FoundLogIn,
} from '../../parts/store/console-sessions.ts'
import type { Clock } from '../../runtime/clock.ts'
import { hashOfSecretWord, mayBeSecretWord } from '../../runtime/secret-words.ts'
import type { Instant } from '../../std/instant.ts'
import { userLimits } from './user-limits.ts'

export interface CurrentSessionNeeds {
  readonly consoleSessions: Pick<ConsoleSessions, 'find' | 'saw'>
  readonly clock: Clock
}

/**
 * The session of a cookie. It is asked for with every request, so that what was ended ends at once.
 * @throws Fault UNAUTHORIZED where there is none, or none any more. [security#the-console]
 */
export async function currentSession(
  { consoleSessions, clock }: CurrentSessionNeeds,
  word: string | null,
): Promise<FoundLogIn> {
  if (word === null || !mayBeSecretWord(word)) throw loggedOut()
  const hash = hashOfSecretWord(word)
  const found = await consoleSessions.find(hash)
  const now = clock.now()
  if (found === null || !isSessionOpen(found.session, now)) throw loggedOut()
  if (now - found.session.seenAt > userLimits.sessionSeen) await consoleSessions.saw(hash, now)
  return found
}

export const isSessionOpen = ({ endsAt, seenAt }: ConsoleSession, now: Instant): boolean =>
  now < endsAt && now < seenAt + userLimits.sessionIdle

const loggedOut = (): Fault =>
  new Fault('UNAUTHORIZED', 'Nobody is logged in here, or not any more: log in.', {
    docs: 'security#the-console',
  })
