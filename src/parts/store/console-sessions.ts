import type { Duration, Instant } from '../../std/instant.ts'
import type { User } from './users.ts'

/** One browser in which a user has logged in. */
export interface ConsoleSession {
  readonly sessionId: string
  readonly userId: string
  /** What the browser says that it is. */
  readonly browser: string
  readonly createdAt: Instant
  readonly seenAt: Instant
  /** However much it is used, it ends then. */
  readonly endsAt: Instant
}

/** A session with everything that a request needs to know of whose it is. */
export interface FoundLogIn {
  readonly session: ConsoleSession
  readonly user: User
  readonly businessName: string
  /** A text that rules/commerce/rate-tier.ts reads. */
  readonly rateTier: string
  /** How far the business's clocks run ahead of real time. */
  readonly clockAheadUs: { readonly test: Duration; readonly live: Duration }
}

/** Who is logged in is bookkeeping: nothing that a business has depends on it. */
export interface ConsoleSessions {
  /**
   * Begins one, unless its user's version is another one by now: a password that was changed, or a
   * user who was removed, meanwhile. Answers whether it began. Forgets those of the user that were
   * over before `forgottenBefore`, and those beyond the newest `most`.
   */
  begin(
    session: ConsoleSession,
    of: {
      readonly hash: Uint8Array
      readonly userVersion: number
      readonly forgottenBefore: Instant
      readonly most: number
    },
  ): Promise<boolean>

  /** Also one that is over by its times. Null where it was ended, or its user was removed. */
  find(hash: Uint8Array): Promise<FoundLogIn | null>

  saw(hash: Uint8Array, at: Instant): Promise<void>

  /** Newest first, those that are over by their times, too. */
  list(userId: string): Promise<readonly ConsoleSession[]>

  /** Whether there was one of this user. */
  end(userId: string, sessionId: string): Promise<boolean>

  endAllBut(userId: string, sessionId: string | null): Promise<void>
}
