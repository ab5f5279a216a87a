import { Fault } from '../../faults.ts'
import type { ConsoleSession, ConsoleSessions } from '../../parts/store/console-sessions.ts'
import type { User, Users } from '../../parts/store/users.ts'
import type { Clock } from '../../runtime/clock.ts'
import { hashOfSecretWord, mayBeSecretWord, newSecretWord } from '../../runtime/secret-words.ts'
import type { NewId } from '../../std/id.ts'
import { after } from '../../std/instant.ts'
import type { Attempts } from './attempts.ts'
import type { Passwords } from './passwords.ts'
import { userLimits } from './user-limits.ts'

export interface BeginSessionNeeds {
  readonly consoleSessions: ConsoleSessions
  readonly clock: Clock
  readonly newId: NewId
}

export interface LogInNeeds extends BeginSessionNeeds {
  readonly users: Pick<Users, 'findByEmail'>
  readonly passwords: Pick<Passwords, 'matches'>
  readonly attempts: Attempts
}

/** Where somebody logs in from. */
export interface Browser {
  readonly name: string
  readonly address: string
  /** The word of its cookie, whatever became of that session; null: it sent none. */
  readonly word: string | null
}

/** A session that has begun, with the word of its cookie, which is stored nowhere. */
export interface BegunSession {
  readonly session: ConsoleSession
  readonly word: string
}

/**
 * Begins a session, always with a word of its own: one that the browser sent is never taken over.
 * The session that this browser had ends.
 *
 * @throws Fault UNAUTHORIZED, the same for a wrong password and for somebody unknown;
 * TOO_MANY_REQUESTS where too many were wrong. [security#the-console]
 */
export async function logInUser(
  needs: LogInNeeds,
  given: { readonly email: string; readonly password: string; readonly browser: Browser },
): Promise<BegunSession> {
  const { browser, password } = given
  const email = given.email.slice(0, userLimits.emailCharactersMax)
  const user = await needs.users.findByEmail(email)
  const before = await sessionOfBrowser(needs, browser)
  const knownBrowser = user !== null && before?.userId === user.userId ? before.sessionId : null
  const attempt = { email, address: browser.address, knownBrowser }
  const waitSeconds = needs.attempts.take(attempt)
  if (waitSeconds !== null) throw tooManyWrong(waitSeconds)
  if (!(await needs.passwords.matches(user?.password ?? null, password)) || user === null) {
    throw wrong()
  }
  needs.attempts.passed(attempt)
  const begun = await beginSession(needs, user, browser)
  if (before !== null) await needs.consoleSessions.end(before.userId, before.sessionId)
  return begun
}

async function sessionOfBrowser(
  { consoleSessions }: BeginSessionNeeds,
  { word }: Browser,
): Promise<ConsoleSession | null> {
  if (word === null || !mayBeSecretWord(word)) return null
  return (await consoleSessions.find(hashOfSecretWord(word)))?.session ?? null
}

/** @throws Fault UNAUTHORIZED where the user has changed since `user` was read. */
export async function beginSession(
  { consoleSessions, clock, newId }: BeginSessionNeeds,
  user: User,
  browser: Browser,
): Promise<BegunSession> {
  const word = newSecretWord()
  const now = clock.now()
  const session: ConsoleSession = {
    sessionId: newId('cse'),
    userId: user.userId,
    browser: browser.name.slice(0, userLimits.browserCharactersMax),
    createdAt: now,
    seenAt: now,
    endsAt: after(now, userLimits.session),
  }
  const began = await consoleSessions.begin(session, {
    hash: hashOfSecretWord(word),
    userVersion: user.version,
    forgottenBefore: after(now, -userLimits.browserKnown),
    most: userLimits.sessionsMax,
  })
  if (!began) throw wrong()
  return { session, word }
}

const wrong = (): Fault =>
  new Fault('UNAUTHORIZED', 'The e-mail address or the password is wrong.', {
    docs: 'security#the-console',
  })

const tooManyWrong = (retryAfterSeconds: number): Fault =>
  new Fault(
    'TOO_MANY_REQUESTS',
    `Too many wrong passwords: try again in ${Math.ceil(retryAfterSeconds / 60)} min.`,
    { retryAfterSeconds, docs: 'security#the-console' },
  )
