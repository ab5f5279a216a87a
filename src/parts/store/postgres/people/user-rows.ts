import type { Instant } from '../../../../std/instant.ts'
import type { User, UserRole } from '../../users.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { byteaText } from '../connection/values.ts'

/** A user as the database has it. */
export interface UserRow {
  readonly business_id: string
  readonly user_id: string
  readonly email: string
  readonly name: string | null
  readonly role: UserRole
  readonly password: string | null
  readonly setup_hash: Buffer | null
  readonly setup_ends_at: Instant | null
  readonly version: number
  readonly user_created_at: Instant
  readonly removed_at: Instant | null
}

export const userColumns = sql`business_id, user_id, email, u.name, role, password, setup_hash,
  setup_ends_at, version, u.created_at as user_created_at, removed_at`

export const userOf = (row: UserRow): User => ({
  userId: row.user_id,
  businessId: row.business_id,
  email: row.email,
  name: row.name,
  role: row.role,
  password: row.password,
  setupHash: row.setup_hash,
  setupEndsAt: row.setup_ends_at,
  version: row.version,
  createdAt: row.user_created_at,
  removedAt: row.removed_at,
})

/** As write_users() takes it. */
export const userRow = (user: User): object => ({
  business_id: user.businessId,
  user_id: user.userId,
  email: user.email,
  name: user.name,
  role: user.role,
  password: user.password,
  setup_hash: user.setupHash === null ? null : byteaText(user.setupHash),
  setup_ends_at: timestamptz(user.setupEndsAt),
  version: user.version,
  created_at: timestamptz(user.createdAt),
  removed_at: timestamptz(user.removedAt),
})
