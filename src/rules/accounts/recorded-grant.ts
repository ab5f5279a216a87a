import type { Instant } from '../../std/instant.ts'
import type { GrantSource } from './account.ts'

/** A grant as it stands in the store; amounts are plain decimals, maybe with trailing zeros. */
export interface RecordedGrant {
  readonly grantId: string
  readonly sourceType: GrantSource
  readonly sourceId: string | null
  readonly parentGrantId: string | null
  readonly rolloverCount: number
  readonly rolledOver: boolean
  readonly initial: string
  readonly remaining: string
  readonly expiresAt: Instant | null
  readonly endedAt: Instant | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
