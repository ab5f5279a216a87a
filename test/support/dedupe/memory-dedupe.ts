import type { EventFingerprinter } from '../../../src/edge/ingest/ingest.ts'
import type { DedupeFilter } from '../../../src/parts/dedupe/port.ts'
import { createFingerprinter, partitionOf } from '../../../src/std/fingerprint.ts'

/** A filter in memory that knows what it was told, for tests of the edge. */
export interface MemoryDedupe extends DedupeFilter {
  remember(...ids: readonly string[]): void
  readonly namespaces: readonly string[]
}

export function memoryDedupe(businessId = 'bus_1'): MemoryDedupe {
  const known = new Set<string>()
  const namespaces: string[] = []
  return {
    namespaces,
    remember(...ids) {
      const words = testFingerprinter.identities(businessId, 'test', ids)
      ids.forEach((_, index) => {
        known.add(words.subarray(index * 4, index * 4 + 3).join())
      })
    },
    async known(_partition, namespace, ids) {
      namespaces.push(namespace)
      return Uint8Array.from({ length: ids.length / 3 }, (_, index) =>
        known.has(ids.subarray(index * 3, index * 3 + 3).join()) ? 1 : 0,
      )
    },
    reached: async (of) => of.map(() => 0),
    close: () => Promise.resolve(),
  }
}

/** The real one, with a key of its own. */
export const testFingerprinter: EventFingerprinter = {
  ...createFingerprinter(new Uint8Array(16).fill(3)),
  partitionOf,
}
