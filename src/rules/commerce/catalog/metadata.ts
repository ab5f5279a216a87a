import { limits } from '../../../limits.ts'
import { isOversize, oversizeProblem } from '../../../std/number.ts'
import type { Rejection } from './rejection.ts'

/** What a business stores with an object. (Metadata of usage events is another type.) */
export type CatalogMetadata = Readonly<Record<string, string | number | boolean>>

/**
 * Refuses what a schema cannot refuse with the right code: too many keys, and integers that were
 * rounded when they were read. Every command that takes metadata calls it. [requests#metadata,
 * requests#refusals]
 */
export function metadataRejection(metadata: CatalogMetadata): Rejection | null {
  const entries = Object.entries(metadata)
  if (entries.length > limits.metadataKeysMax) {
    const problem = `metadata must hold at most ${limits.metadataKeysMax} keys.`
    return { code: 'MAXIMUM_KEYS_REACHED', problem }
  }
  for (const [key, value] of entries) {
    // The number was rounded when it was read, so storing it would store another number.
    if (typeof value !== 'number' || !isOversize(value)) continue
    return { code: 'INVALID_REQUEST_PARAMETERS', problem: `metadata.${key} is ${oversizeProblem}` }
  }
  return null
}
