import { notFound } from '../../faults.ts'
import type { Access, Keys } from '../../parts/store/keys.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import { hashOfApiKey, newApiKey } from '../../runtime/api-key.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewId } from '../../std/id.ts'
import type { Duration } from '../../std/instant.ts'

export interface CreateKeyPorts {
  readonly keys: Keys
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
export async function createKey(ports: CreateKeyPorts, request: KeyRequest): Promise<CreatedKey> {
  const keyId = ports.newId('key')
  const apiKey = newApiKey(request.mode, request.access)
  const hash = hashOfApiKey(apiKey)
  const { backfillUs = 0 } = request
  const createdAt = ports.clock.now()
  const made = await ports.keys.create({ ...request, backfillUs, keyId, hash, createdAt })
  if (!made) throw notFound('business', request.businessId)
  return { keyId, apiKey }
}
