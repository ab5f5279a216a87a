import { limits } from '../../../limits.ts'
import type { Instant } from '../../../std/instant.ts'

/** Where the parts of an event stand in the body: from a byte on, up to another one. */
export const parts = {
  id: 0,
  customer: 2,
  name: 4,
  /** With its brackets, or `null`; 0 to 0: it was not sent. */
  metadata: 6,
} as const

/** Behind the parts: how long the metadata is without the blanks outside of its texts. */
export const metadataSize = 8

/** The numbers of one event among `spans`. */
export const spanWords = 9

/** The numbers of one event among `identities` (std/fingerprint.ts). */
export const identityWords = 4

/**
 * What one request is worked on with: typed arrays with a place for each event, which the next
 * request uses again. So an event costs no object.
 */
export class FoundEvents {
  count = 0
  spans = new Uint32Array(0)
  /** NaN: it was sent without a time. */
  times = new Float64Array(0)
  identities = new Uint32Array(0)
  partitions = new Uint16Array(0)
  /** 1: measured already. */
  known = new Uint8Array(0)
  /** The events by partition, those of one partition in the order in which they were sent. */
  order = new Uint16Array(0)

  /** Makes a place for one more event; null: there are too many. */
  begin(): number | null {
    if (this.count === limits.eventsPerRequestMax) return null
    if (this.count === this.times.length) this.#grow()
    const index = this.count
    this.spans.fill(0, index * spanWords, (index + 1) * spanWords)
    this.times[index] = Number.NaN
    this.known[index] = 0
    this.count += 1
    return index
  }

  note(index: number, place: number, position: number): void {
    this.spans[index * spanWords + place] = position
  }

  from(index: number, part: number): number {
    return this.spans[index * spanWords + part] as number
  }

  end(index: number, part: number): number {
    return this.spans[index * spanWords + part + 1] as number
  }

  sizeOf(index: number): number {
    return this.spans[index * spanWords + metadataSize] as number
  }

  /** When the event happened; one without a time at `at`. */
  timeOf(index: number, at: Instant): Instant {
    const time = this.times[index] as Instant
    return Number.isNaN(time) ? at : time
  }

  #grow(): void {
    const room = Math.max(16, this.times.length * 2)
    this.spans = larger(this.spans, new Uint32Array(room * spanWords))
    this.times = larger(this.times, new Float64Array(room))
    this.known = larger(this.known, new Uint8Array(room))
    this.identities = new Uint32Array(room * identityWords)
    this.partitions = new Uint16Array(room)
    this.order = new Uint16Array(room)
  }
}

function larger<T extends { set(from: T): void }>(before: T, made: T): T {
  made.set(before)
  return made
}

/** Those that no request uses just now. */
export interface FoundPool {
  take(): FoundEvents
  give(found: FoundEvents): void
}

/**
 * How many are kept, since making one costs more than reading an event does: some 1 KB each, and
 * 64 KB each of those that held more than a few events.
 */
const [keptMax, largeKeptMax, largeFrom] = [1_024, 32, 64] as const

export function foundPool(): FoundPool {
  const kept: FoundEvents[] = []
  return {
    take: () => kept.pop() ?? new FoundEvents(),
    give(found) {
      // Large ones lie below all others, and so there are never more of them than that.
      if (kept.length < (found.times.length > largeFrom ? largeKeptMax : keptMax)) kept.push(found)
    },
  }
}
