import type { Addresses } from '../compose.ts'
import type { Store } from '../compose-store.ts'
import { createBusiness } from '../operations/businesses/create-business.ts'
import { createKey } from '../operations/businesses/create-key.ts'
import { systemClock } from '../runtime/clock.ts'
import { randomIds } from '../runtime/ids.ts'

/** What the first start on an empty embedded store makes, so that somebody can begin at once. */
export interface Sample {
  readonly businessId: string
  /** Printed once; only its hash is kept. */
  readonly apiKey: string
}

/** Null when the store has a business already. */
export async function firstStart(store: Store): Promise<Sample | null> {
  if (await store.businesses.any()) return null
  const ports = { ...store, clock: systemClock(), newId: randomIds() }
  const sample = { name: 'Sample business', rateTier: 'unlimited' }
  const businessId = await createBusiness(ports, sample)
  const request = { businessId, mode: 'test', access: 'write', name: 'first start' } as const
  const { apiKey } = await createKey(ports, request)
  return { businessId, apiKey }
}

/** What to paste. */
export function linesOfSample(
  sample: Sample | null,
  addresses: Addresses | null,
): readonly string[] {
  if (sample === null) return []
  const paste = [
    `  curl -s -H 'Authorization: Bearer ${sample.apiKey}' ${addresses?.test}/customers`,
  ]
  return [
    '',
    `This is the first start: there is a business now, ${sample.businessId}, with a key for test mode.`,
    'The key is shown this once:',
    '',
    `  ${sample.apiKey}`,
    ...(addresses === null ? [] : ['', 'Paste this:', '', ...paste]),
  ]
}
