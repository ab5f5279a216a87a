import { limits } from '../../../limits.ts'
import type { Rejection } from './rejection.ts'

/** What a business keeps beside an object. Not that of usage events. [contract A.5] */
export type CatalogMetadata = Readonly<Record<string, string | number | boolean>>

/** What a schema cannot say with the right code: how many keys, and integers that were rounded. */
export function metadataRejection(metadata: CatalogMetadata): Rejection | null {
  const entries = Object.entries(metadata)
  if (entries.length > limits.metadataKeysMax) {
    const problem = `metadata must hold at most ${limits.metadataKeysMax} keys.`
    return { code: 'MAXIMUM_KEYS_REACHED', problem }
  }
  for (const [key, value] of entries) {
    // Past 2^53 the parser has rounded it: storing another number would be a lie. [ruling 4]
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) continue
    const problem = `metadata.${key} is an integer beyond 2^53 - 1: send it as a string.`
    return { code: 'INVALID_REQUEST_PARAMETERS', problem }
  }
  return null
}
