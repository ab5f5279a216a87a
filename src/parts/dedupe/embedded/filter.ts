import type { MessagePort } from 'node:worker_threads'
import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { Offset, Partition } from '../../event-log/port.ts'
import type { DedupeFilter, Filling, Fingerprints, Known } from '../port.ts'
import type { DedupeAnnouncement } from './announcement.ts'
import type { DedupeSegment } from './table.ts'
import { segmentLookup } from './table.ts'

interface Held {
  readonly namespace: string
  readonly segments: Map<number, DedupeSegment[]>
}

/**
 * The edge's view of the embedded dedupe: it reads the engine thread's own memory, without a copy.
 * The other end of `port` belongs to openEmbeddedDedupe; the edge does not know what that has not
 * announced yet.
 */
export function openEmbeddedFilter({ port }: { readonly port: MessagePort }): DedupeFilter {
  const partitions = new Map<Partition, Held>()
  port.on('message', hear)
  // Hearing late only means missing an id, so the port need not keep the thread alive.
  port.unref()
  return { known, reached, close }

  function hear(announcement: DedupeAnnouncement): void {
    const { partition } = announcement
    if (announcement.kind === 'begin') {
      partitions.set(partition, { namespace: announcement.namespace, segments: new Map() })
      return
    }
    const segments = partitions.get(partition)?.segments
    if (segments === undefined) return
    if (announcement.kind === 'segment') {
      const { generation, segment } = announcement
      segments.set(generation, [...(segments.get(generation) ?? []), segment])
    } else {
      for (const old of segments.keys()) if (old < announcement.before) segments.delete(old)
    }
  }

  async function known(partition: Partition, namespace: string, ids: Fingerprints): Promise<Known> {
    const answer = new Uint8Array(ids.length / fingerprintWords)
    const held = partitions.get(partition)
    if (held === undefined || held.namespace !== namespace) return answer
    for (const segments of held.segments.values()) {
      for (const segment of segments) segmentLookup(segment, ids, answer)
    }
    return answer
  }

  /**
   * The engine announces only what its books have confirmed, so no namespace here goes beyond them.
   */
  async function reached(of: readonly Filling[]): Promise<readonly (Offset | null)[]> {
    return of.map(({ partition, namespace }) =>
      partitions.get(partition)?.namespace === namespace ? 0 : null,
    )
  }

  async function close(): Promise<void> {
    port.close()
  }
}
