import type { Partition } from '../../event-log/port.ts'
import type { Segment } from './table.ts'

/** What the engine thread tells the edge about the memory that both look into. */
export type Announcement =
  /** The partition's namespace begins empty; every other one of it is gone. */
  | { readonly kind: 'begin'; readonly partition: Partition; readonly namespace: string }
  | {
      readonly kind: 'segment'
      readonly partition: Partition
      readonly generation: number
      readonly segment: Segment
    }
  /** Generations before this one are gone. */
  | { readonly kind: 'dropped'; readonly partition: Partition; readonly before: number }

/** The sending half of a MessagePort. */
export interface AnnouncementPort {
  postMessage(announcement: Announcement): void
}
