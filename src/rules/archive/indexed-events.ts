import { bloomOf } from './bloom.ts'
import type { BlockSummary } from './summary.ts'
import { summariesOf } from './summary.ts'

/** What an index is made of. */
export interface BlockEvents {
  /** The events' lines, each ended by a line feed. */
  readonly ndjson: Uint8Array
  /** One byte per event. */
  readonly verdicts: Uint8Array
  /** The first two words of each event's fingerprint. */
  readonly keys: Uint32Array
}

/** By what a block, and the events in it, are found. */
export interface BlockIndex {
  /** How many events the lines are. */
  readonly events: number
  /** A Bloom filter over the events' keys. */
  readonly ids: Uint8Array
  readonly summaries: readonly BlockSummary[]
}

/** Reads all of the lines: a millisecond per thousand events or so. */
export function blockIndexOf({ keys, ndjson, verdicts }: BlockEvents): BlockIndex {
  const { lines, summaries } = summariesOf(ndjson, verdicts)
  return { events: lines, ids: bloomOf(keys), summaries }
}
