import { Fault } from '../../faults.ts'
import { hashOfPassword, isPassword } from '../../runtime/passwords.ts'
import { openShares } from '../../runtime/shares.ts'
import { isStorable } from '../../std/text.ts'
import { userLimits } from './user-limits.ts'

/** Hashes passwords, a few at a time. */
export interface Passwords {
  /** @throws Fault INVALID_REQUEST_BODY for one that nobody should have. */
  kept(password: string, user: { readonly email: string }): Promise<string>
  /** Null, or too long, is never one; finding that out takes as long. */
  matches(kept: string | null, password: string): Promise<boolean>
}

/** What hashes: the same cost for every password. */
export interface Hashing {
  readonly hashOfPassword: typeof hashOfPassword
  readonly isPassword: typeof isPassword
}

export function openPasswords(hashing: Hashing = { hashOfPassword, isPassword }): Passwords {
  const turns = openShares({
    total: userLimits.hashesMax,
    each: userLimits.hashesMax,
    waitMs: 5_000,
    waitingMax: userLimits.hashesWaitingMax,
  })
  // Nobody's: for users who do not exist.
  const decoy = inTurn(() => hashing.hashOfPassword('nobody has this as a password'))
  decoy.catch(() => undefined)
  return { kept, matches }

  async function kept(password: string, user: { readonly email: string }): Promise<string> {
    refuseWeak(password, user.email)
    return inTurn(() => hashing.hashOfPassword(password))
  }

  async function matches(stored: string | null, password: string): Promise<boolean> {
    const against = stored ?? (await decoy)
    const cut = password.slice(0, userLimits.passwordCharactersMax)
    const same = await inTurn(() => hashing.isPassword(against, cut))
    return same && stored !== null && cut === password
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const leave = await turns.enter('passwords')
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

function refuseWeak(password: string, email: string): void {
  const { passwordCharactersMax: most, passwordCharactersMin: least } = userLimits
  if (password.length < least || password.length > most || !isStorable(password)) {
    throw new Fault('INVALID_REQUEST_BODY', `A password has ${least} to ${most} characters.`)
  }
  const low = password.toLowerCase()
  const kinds = new Set(low).size
  if (kinds < 5 || low.includes(email.toLowerCase())) {
    throw new Fault(
      'INVALID_REQUEST_BODY',
      'That password is too easy to guess: take several words, or what a password manager makes.',
    )
  }
}
