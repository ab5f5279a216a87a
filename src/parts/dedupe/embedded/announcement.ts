import type { Partition } from '../../event-log/port.ts'
import type { DedupeSegment } from './table.ts'

/** What the engine thread tells the edge about the memory that both of them read. */
export type DedupeAnnouncement =
  /** The partition's namespace begins empty, and every other namespace of the partition is gone. */
  | { readonly kind: 'begin'; readonly partition: Partition; readonly namespace: string }
  | {
      readonly kind: 'segment'
      readonly partition: Partition
      readonly generation: number
      readonly segment: DedupeSegment
    }
  /** Generations before this one are gone. */
  | { readonly kind: 'dropped'; readonly partition: Partition; readonly before: number }

/** The sending half of a MessagePort. */
export interface AnnouncementPort {
  postMessage(announcement: DedupeAnnouncement): void
}

/**
 * Collects announcements in order until `announce` is called; from then on each is sent at once.
 */
export function announcing(port: AnnouncementPort): {
  say(announcement: DedupeAnnouncement): void
  announce(): void
} {
  let kept: DedupeAnnouncement[] | null = []
  return { say, announce }

  function say(announcement: DedupeAnnouncement): void {
    if (kept === null) port.postMessage(announcement)
    else kept.push(announcement)
  }

  function announce(): void {
    const before = kept ?? []
    kept = null
    for (const announcement of before) port.postMessage(announcement)
  }
}
