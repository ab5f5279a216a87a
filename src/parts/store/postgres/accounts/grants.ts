import type { GrantSource } from '../../../../rules/accounts/account.ts'
import type { RecordedGrant } from '../../../../rules/accounts/recorded-grant.ts'
import type { Instant } from '../../../../std/instant.ts'

/** A grant as the database has it. */
export interface GrantRow {
  readonly grant_id: string
  readonly source_type: GrantSource
  readonly source_id: string | null
  readonly parent_grant_id: string | null
  readonly rollover_count: number
  readonly rolled_over: boolean
  readonly initial: string
  readonly remaining: string
  readonly expires_at: Instant | null
  readonly ended_at: Instant | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const grantOf = (row: GrantRow): RecordedGrant => ({
  grantId: row.grant_id,
  sourceType: row.source_type,
  sourceId: row.source_id,
  parentGrantId: row.parent_grant_id,
  rolloverCount: row.rollover_count,
  rolledOver: row.rolled_over,
  initial: row.initial,
  remaining: row.remaining,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  metadata: row.metadata,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
