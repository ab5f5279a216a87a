import type { Instant } from '../std/instant.ts'
import type { SpoolPlace } from './place.ts'

/** Events that go to the gateway in one request. */
export interface Parcel {
  /** Each the JSON of an event. */
  readonly lines: readonly string[]
  /** Everything before it is forwarded when the parcel is. */
  readonly end: SpoolPlace
  /** Of the first and of the last of them. */
  readonly oldestAt: Instant
  readonly youngestAt: Instant
  /** Nothing more fits: there is nothing to wait for. */
  readonly full: boolean
}

/** What one request may hold. */
export interface ParcelBounds {
  readonly events: number
  /** Of the whole body. */
  readonly bytes: number
}

/** Lines while they become a parcel. */
export interface Packing {
  readonly lines: readonly string[]
  /** False where the line does not fit any more: the parcel is full. The first one always fits. */
  add(line: string): boolean
}

/**
 * A gateway refuses a request that holds an id twice, so that a repeated id begins the next parcel:
 * there it is known already, or counts in place of one that was refused.
 */
export function packing(bounds: ParcelBounds): Packing {
  const lines: string[] = []
  const ids = new Set<string>()
  let bytes = bodyStart.length + bodyEnd.length
  return {
    lines,
    add(line) {
      const id = idOf(line)
      const size = Buffer.byteLength(line) + 1
      const fits = lines.length < bounds.events && bytes + size <= bounds.bytes && !ids.has(id)
      if (!fits && lines.length > 0) return false
      lines.push(line)
      ids.add(id)
      bytes += size
      return true
    },
  }
}

const bodyStart = '{"events":['
const bodyEnd = ']}'

/** The body of the gateway's ingest. */
export const bodyOf = (lines: readonly string[]): string => bodyStart + lines.join(',') + bodyEnd

const idStart = '{"event_id":'.length

/** As JSON. In no text of a line can `,"customer_id":` stand: its quotes would be escaped. */
const idOf = (line: string): string => line.slice(idStart, line.indexOf(',"customer_id":'))
