import type { Instant } from '../std/instant.ts'
import { untraced } from './line-trace.ts'
import type { SpoolPlace } from './place.ts'

/** Events that go to the gateway in one request. */
export interface Parcel {
  /** Each is the JSON of an event, with its trace. */
  readonly lines: readonly string[]
  /** How far the spool is forwarded once the parcel is. */
  readonly end: SpoolPlace
  /** When the first and the last of them were received. */
  readonly oldestAt: Instant
  readonly youngestAt: Instant
  /** Nothing more fits in: no need to wait for more. */
  readonly full: boolean
}

/** What one request may hold. */
export interface ParcelBounds {
  readonly events: number
  /** Of the whole body, in bytes. */
  readonly bytes: number
}

/** Collects lines for a parcel. */
export interface Packing {
  readonly lines: readonly string[]
  /**
   * False where the line does not fit, and belongs to the next parcel. The first line always fits.
   */
  add(line: string): boolean
}

/**
 * Collects up to these bounds. The gateway refuses a request that holds an id twice, so a repeated
 * id begins the next parcel. There the gateway knows it already, or counts it in place of the one
 * that it has refused.
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

/** The body of a request to the gateway's `POST /events/ingest`. */
export const bodyOf = (lines: readonly string[]): string =>
  bodyStart + lines.map(untraced).join(',') + bodyEnd

const idStart = '{"event_id":'.length

/**
 * A line's event id, as JSON. No value can hold `,"customer_id":`, as its quotes would be escaped.
 */
const idOf = (line: string): string => line.slice(idStart, line.indexOf(',"customer_id":'))
