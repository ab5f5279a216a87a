import { day, hour, minute } from '../../std/instant.ts'

/** The bounds of the console's users, for one process where they count. [security#the-console] */
export const userLimits = {
  /** How long the link lasts by which a user chooses a password. */
  setup: day,
  /** Longer ones are no better, and cost more to hash. */
  passwordCharactersMin: 12,
  passwordCharactersMax: 200,
  nameCharactersMax: 255,
  emailCharactersMax: 254,
  /** However much a session is used, and how long it may be left alone. */
  session: 14 * day,
  sessionIdle: 24 * hour,
  /** How exactly it is known when a session was last used. */
  sessionSeen: 5 * minute,
  /** How long a browser counts as known after its session is over. */
  browserKnown: 60 * day,
  /** How many of a user are kept; the oldest one ends with the next log-in. */
  sessionsMax: 50,
  browserCharactersMax: 200,
  /**
   * How many passwords may be wrong within `attempts`: for a user from one address, or from one
   * browser that the user has logged in by before; from an address for whomever; for a user from
   * wherever. A known browser is counted by itself, so that others cannot lock its user out.
   */
  attempts: 15 * minute,
  attemptsOfPairMax: 5,
  attemptsOfAddressMax: 30,
  attemptsOfUserMax: 100,
  /** Of how many addresses and users wrong passwords are remembered. */
  attemptsKeptMax: 50_000,
  /** How many passwords are hashed at a time, on threads of their own, and how many may wait. */
  hashesMax: 2,
  hashesWaitingMax: 32,
} as const
