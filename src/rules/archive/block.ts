import assert from 'node:assert/strict'
import { concat } from '../../std/bytes.ts'
import type { Fingerprint } from '../../std/fingerprint.ts'
import { fingerprintWords } from '../../std/fingerprint.ts'
import type { Instant } from '../../std/instant.ts'
import { earlierOf, laterOf } from '../../std/instant.ts'
import { markBytes } from '../meter/route-mark.ts'
import type { BlockEvents, BlockIndex } from './indexed-events.ts'
import { blockIndexOf } from './indexed-events.ts'
import { ndjsonLines } from './line.ts'
import type { PlacedRecord } from './places.ts'
import { packPlaces, unpackPlaces } from './places.ts'

/** A readable record of the log, with what measuring found out about it. */
export interface MeasuredRecord extends PlacedRecord {
  /** NDJSON, each line ended by a line feed. */
  readonly value: Uint8Array
  /** One byte per event. */
  readonly verdicts: Uint8Array
  /** Three words per event (std/fingerprint.ts). */
  readonly fingerprints: Uint32Array
  /** Which routes took each event's usage (rules/meter/route-mark.ts). */
  readonly routeMarks: Uint8Array
  /** The versions of catalogs that the record was measured under, as its batch has them. */
  readonly catalog: unknown
}

/** `events` consecutive events that were measured under one catalog. */
export interface CatalogRun {
  readonly events: number
  readonly catalog: unknown
}

/** The contents of a block, in whatever they are stored. */
export interface BlockBody {
  /** The records' values one after the other. */
  readonly ndjson: Uint8Array
  /** One byte per event. */
  readonly verdicts: Uint8Array
  /** Two bytes per event. */
  readonly routeMarks: Uint8Array
  /** Where each record lay, and how many events it has (places.ts). */
  readonly places: Uint8Array
  readonly catalogs: readonly CatalogRun[]
}

/** A stretch of one partition of the log: offsets from `start` (inclusive) to `end` (exclusive). */
export interface Block extends BlockBody, BlockIndex {
  readonly start: number
  readonly end: number
  readonly logFrom: Instant
  /** The latest log time in it. */
  readonly logAt: Instant
}

/** A block ends before the record that would pass one of these, and holds at least one record. */
export const blockEventsMax = 4_096
export const blockBytesMax = 1024 * 1024

/** A block that lacks its index, and takes a moment to make; its index takes milliseconds. */
export interface BlockDraft extends Omit<Block, keyof BlockIndex>, BlockEvents {}

/**
 * Cuts the readable records of [start, end) into blocks that cover it without a gap; no blocks when
 * there is no readable record.
 */
export function blockDrafts(
  records: readonly MeasuredRecord[],
  start: number,
  end: number,
): readonly BlockDraft[] {
  const cuts = cutsOf(records)
  return cuts.map((first, index) => {
    const next = cuts[index + 1]
    const from = index === 0 ? start : (records[first]?.offset ?? start)
    const to = next === undefined ? end : (records[next]?.offset ?? end)
    return draftOf(records.slice(first, next), from, to)
  })
}

/**
 * Where the last of several blocks would begin, which has room for more records; null: there is but
 * one, or none.
 */
export function roomFrom(records: readonly MeasuredRecord[]): number | null {
  const last = cutsOf(records).slice(1).at(-1)
  return last === undefined ? null : (records[last]?.offset ?? null)
}

/** The positions at which blocks begin. */
function cutsOf(records: readonly MeasuredRecord[]): readonly number[] {
  const cuts: number[] = []
  let events = 0
  let bytes = 0
  records.forEach((record, index) => {
    events += record.events
    bytes += record.value.length
    if (index > 0 && events <= blockEventsMax && bytes <= blockBytesMax) return
    cuts.push(index)
    events = record.events
    bytes = record.value.length
  })
  return cuts
}

/** One block of all the records; that is also how small blocks become a large one. */
export function draftOf(
  records: readonly MeasuredRecord[],
  start: number,
  end: number,
): BlockDraft {
  const verdicts = concat(records.map((record) => record.verdicts))
  const routeMarks = concat(records.map((record) => record.routeMarks))
  assert(records.length > 0 && routeMarks.length === verdicts.length * markBytes)
  assert(records.every((record) => record.offset >= start && record.offset < end))
  return {
    start,
    end,
    logFrom: records.map((record) => record.at).reduce(earlierOf),
    logAt: records.map((record) => record.at).reduce(laterOf),
    ndjson: concat(records.map((record) => record.value)),
    verdicts,
    routeMarks,
    places: packPlaces(records),
    catalogs: catalogRuns(records),
    keys: keysOf(records.map((record) => record.fingerprints)),
  }
}

/** `index` was made of the draft itself. */
export function blockFrom({ keys: _, ...draft }: BlockDraft, index: BlockIndex): Block {
  assert(index.events === draft.verdicts.length)
  return { ...draft, ...index }
}

/** A block with its index, made at once. */
export function blockOf(records: readonly MeasuredRecord[], start: number, end: number): Block {
  const draft = draftOf(records, start, end)
  return blockFrom(draft, blockIndexOf(draft))
}

/**
 * Takes the records out of a block again. `fingerprint` computes the words that blocks do not keep.
 */
export function recordsOf(
  body: BlockBody,
  fingerprint: (line: string) => Fingerprint,
): readonly MeasuredRecord[] {
  const lines = ndjsonLines(body.ndjson)
  const catalogOf = catalogReader(body.catalogs)
  let event = 0
  let byte = 0
  return unpackPlaces(body.places).map((place) => {
    const [firstEvent, firstByte] = [event, byte]
    event += place.events
    byte = endOfLines(body.ndjson, firstByte, place.events)
    const words = lines.slice(firstEvent, event).flatMap(fingerprint)
    return {
      ...place,
      value: body.ndjson.subarray(firstByte, byte),
      verdicts: body.verdicts.subarray(firstEvent, event),
      routeMarks: body.routeMarks.subarray(firstEvent * markBytes, event * markBytes),
      fingerprints: Uint32Array.from(words),
      catalog: catalogOf(firstEvent),
    }
  })
}

function endOfLines(ndjson: Uint8Array, from: number, lines: number): number {
  let end = from
  for (let line = 0; line < lines; line += 1) end = ndjson.indexOf(10, end) + 1
  return end
}

/** Two words per event are enough, because a false match only costs a look. */
function keysOf(parts: readonly Uint32Array[]): Uint32Array {
  const words = parts.reduce((sum, part) => sum + part.length, 0)
  const keys = new Uint32Array((words / fingerprintWords) * 2)
  let next = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; at += fingerprintWords) {
      keys[next] = part[at] ?? 0
      keys[next + 1] = part[at + 1] ?? 0
      next += 2
    }
  }
  return keys
}

function catalogRuns(records: readonly MeasuredRecord[]): readonly CatalogRun[] {
  const runs: { events: number; catalog: unknown; text: string }[] = []
  for (const { catalog, events } of records) {
    const text = JSON.stringify(catalog)
    const last = runs.at(-1)
    if (last?.text === text) last.events += events
    else runs.push({ events, catalog, text })
  }
  return runs.map(({ events, catalog }) => ({ events, catalog }))
}

/** The catalog of the n-th event; must be asked in ascending order. */
export function catalogReader(runs: readonly CatalogRun[]): (event: number) => unknown {
  let run = 0
  let end = runs[0]?.events ?? 0
  return (event) => {
    while (event >= end && run + 1 < runs.length) {
      run += 1
      end += runs[run]?.events ?? 0
    }
    return runs[run]?.catalog
  }
}

/** Log time of the n-th event of a body. */
export function receivedAt(places: Uint8Array, event: number): Instant {
  let end = 0
  for (const place of unpackPlaces(places)) {
    end += place.events
    if (event < end) return place.at
  }
  throw new Error('There is no such event in the block.')
}
