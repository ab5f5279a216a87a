import { limits } from '../../../limits.ts'
import { isOversize, oversizeProblem } from '../../../std/number.ts'
import type { Rejection } from './rejection.ts'

/** What a business keeps beside an object. Not that of usage events. [requests#numbers] */
export type CatalogMetadata = Readonly<Record<string, string | number | boolean>>

/**
 * What a schema cannot say with the right code: how many keys, and integers that were rounded when
 * they were read. Every command that takes metadata asks it. [requests#metadata, requests#refusals]
 */
export function metadataRejection(metadata: CatalogMetadata): Rejection | null {
  const entries = Object.entries(metadata)
  if (entries.length > limits.metadataKeysMax) {
    const problem = `metadata must hold at most ${limits.metadataKeysMax} keys.`
    return { code: 'MAXIMUM_KEYS_REACHED', problem }
  }
  for (const [key, value] of entries) {
    // Storing another number would be a lie.
    if (typeof value !== 'number' || !isOversize(value)) continue
    return { code: 'INVALID_REQUEST_PARAMETERS', problem: `metadata.${key} is ${oversizeProblem}` }
  }
  return null
}
