import type { Fingerprinter } from '../../src/edge/ingest/ingest.ts'
import type { DedupeFilter } from '../../src/parts/dedupe/port.ts'

/** A filter that knows what it was told, for tests of the edge. */
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
      const words = simpleFingerprinter.fingerprints(businessId, 'test', ids)
      ids.forEach((_, index) => {
        known.add(`${words[index * 2]}.${words[index * 2 + 1]}`)
      })
    },
    async known(_partition, namespace, ids) {
      namespaces.push(namespace)
      return Uint8Array.from({ length: ids.length / 2 }, (_, index) =>
        known.has(`${ids[index * 2]}.${ids[index * 2 + 1]}`) ? 1 : 0,
      )
    },
    reached: async (of) => of.map(() => 0),
    close: () => Promise.resolve(),
  }
}

/** FNV-1a twice: enough to tell apart the ids of a test. */
export const simpleFingerprinter: Fingerprinter = {
  fingerprints: (businessId, mode, ids) =>
    Uint32Array.from(
      ids.flatMap((id) => {
        const text = JSON.stringify([businessId, mode, id])
        return [fnv(text, 0x811c9dc5), fnv(text, 0x01000193)]
      }),
    ),
  partitionOf: (hi, _lo, partitions) => hi % partitions,
}

function fnv(text: string, seed: number): number {
  let hash = seed
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  }
  return hash
}
