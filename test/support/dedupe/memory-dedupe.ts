import type { EventFingerprinter } from '../../../src/edge/ingest/ingest.ts'
import type { DedupeFilter } from '../../../src/parts/dedupe/port.ts'
import type { Mode } from '../../../src/rules/meter/meter.ts'

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
      const words = simpleFingerprinter.identities(businessId, 'test', ids)
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

/** FNV-1a four times: enough to tell the ids of a test apart. */
export const simpleFingerprinter: EventFingerprinter = {
  identities: (businessId, mode, ids) =>
    Uint32Array.from(
      ids.flatMap((id) => {
        const text = JSON.stringify([businessId, mode, id])
        return [0x811c9dc5, 0x01000193, 0x9e3779b1, 0x85ebca6b].map((start) => fnv(text, start))
      }),
    ),
  identitiesIn({ businessId, mode }, { bytes, spans, stride, count }, into) {
    const ids = Array.from({ length: count }, (_, index) =>
      Buffer.from(bytes).toString('utf8', spans[index * stride], spans[index * stride + 1]),
    )
    into.set(simpleFingerprinter.identities(businessId, mode as Mode, ids))
  },
  partitionOf: (place, partitions) => place % partitions,
}

function fnv(text: string, seed: number): number {
  let hash = seed
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  }
  return hash
}
