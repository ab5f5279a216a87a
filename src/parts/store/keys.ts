import type { Mode } from '../../rules/meter/meter.ts'
import type { Duration, Instant } from '../../std/instant.ts'

/** `write` includes reading. */
export type Access = 'read' | 'write'

/**
 * An API key as its owner sees it. The text of the key is stored nowhere. [requests#keys-and-modes]
 */
export interface Key {
  readonly keyId: string
  readonly businessId: string
  readonly mode: Mode
  readonly access: Access
  readonly name: string | null
  readonly createdAt: Instant
  /** To the minute or so; null: never, as far as is known. */
  readonly lastUsedAt: Instant | null
  readonly revokedAt: Instant | null
}

/** What a request needs to know about its key. */
export interface FoundKey {
  readonly keyId: string
  readonly businessId: string
  readonly mode: Mode
  readonly access: Access
  /** A text that rules/commerce/rate-tier.ts reads. */
  readonly rateTier: string
  /** How far the business's clock of this mode runs ahead of real time. */
  readonly clockAheadUs: Duration
  /** How old an event may be that it sends; 0: as old as by any key. */
  readonly backfillUs: Duration
  readonly revoked: boolean
}

export interface NewKey extends Omit<Key, 'lastUsedAt' | 'revokedAt'> {
  /** SHA-256 of the key's text. */
  readonly hash: Uint8Array
  readonly backfillUs: Duration
}

export interface Keys {
  get(keyId: string): Promise<Key | null>

  /** Newest first, revoked ones too. */
  list(businessId: string): Promise<readonly Key[]>

  /**
   * Finds keys by the hashes of their texts, in that order; a revoked key is found and says so.
   * Null where there is no such key.
   */
  find(hashes: readonly Uint8Array[]): Promise<readonly (FoundKey | null)[]>

  /** Notes that they were in use then. */
  used(keyIds: readonly string[], at: Instant): Promise<void>
}
