import type { Instant } from '../../std/instant.ts'

/** What a person may do in the console: everything, or only look. [security#the-console] */
export type UserRole = 'owner' | 'viewer'

/** A person who uses the console of one business. */
export interface User {
  readonly userId: string
  readonly businessId: string
  /** One person's alone, whatever the case of its letters. */
  readonly email: string
  readonly name: string | null
  readonly role: UserRole
  /** What is kept of the password; null until the link was used. */
  readonly password: string | null
  /** SHA-256 of what the link carries; null once it was used. */
  readonly setupHash: Uint8Array | null
  readonly setupEndsAt: Instant | null
  /** Every change has the next one. */
  readonly version: number
  readonly createdAt: Instant
  readonly removedAt: Instant | null
}

/** Those who were removed are found by their id alone. */
export interface Users {
  get(userId: string): Promise<User | null>
  findByEmail(email: string): Promise<User | null>
  findBySetup(hash: Uint8Array): Promise<User | null>
  /** Of all businesses, newest first. */
  list(): Promise<readonly User[]>
}
