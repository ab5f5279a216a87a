import { orNotFound } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { Access } from '../../parts/store/keys.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import { hashOfApiKey, newApiKey } from '../../runtime/api-key.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewId } from '../../std/id.ts'
import type { Duration } from '../../std/instant.ts'
import { writeNewRow } from '../accounts/new-row.ts'

export interface CreateKeyNeeds {
  readonly businesses: Pick<Businesses, 'find'>
  readonly changes: Pick<Changes, 'commit'>
  readonly clock: Clock
  readonly newId: NewId
}

export interface KeyRequest {
  readonly businessId: string
  readonly mode: Mode
  readonly access: Access
  readonly name: string | null
  /** How old an event may be that it sends, beyond the hour that any key has; 0 by itself. */
  readonly backfillUs?: Duration
}

/**
 * The only object with the key's text, which is shown once and stored as a hash.
 * [requests#keys-and-modes]
 */
export interface CreatedKey {
  readonly keyId: string
  readonly apiKey: string
}

/** @throws Fault NOT_FOUND when there is no such business. */
export async function createKey(needs: CreateKeyNeeds, request: KeyRequest): Promise<CreatedKey> {
  const { businessId, mode, access, backfillUs = 0 } = request
  orNotFound(await needs.businesses.find(businessId), 'business', businessId)
  const keyId = needs.newId('key')
  const apiKey = newApiKey(mode, access)
  const hash = hashOfApiKey(apiKey)
  const row = { ...request, backfillUs, keyId, hash, createdAt: needs.clock.now() }
  await writeNewRow(needs.changes, { businessId, mode }, { noun: 'api_key', expected: null, row })
  return { keyId, apiKey }
}
