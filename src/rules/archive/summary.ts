import assert from 'node:assert/strict'
import type { Instant } from '../../std/instant.ts'
import { parseInstant } from '../../std/instant.ts'
import { storable } from '../../std/text.ts'
import type { Mode } from '../meter/meter.ts'
import { bloomOf, wordsOf } from './bloom.ts'
import { parseLine, sortableTimestamp, verdicts } from './line.ts'
import type { Scanned } from './scan.ts'
import { lineStart, scanner } from './scan.ts'
import type { WordSet } from './word-set.ts'
import { wordSet } from './word-set.ts'

/** What a block holds of one business and mode. Often this says that the block need not be read. */
export interface BlockSummary {
  readonly businessId: string
  readonly mode: Mode
  /** The earliest of the events' own timestamps. */
  readonly firstAt: Instant
  readonly lastAt: Instant
  readonly events: number
  /** A Bloom filter over the customers' ids (`wordsOf`). */
  readonly customers: Uint8Array
  /**
   * The distinct event names, in the form that text columns can hold: names that become equal by
   * that only cost a look into a block. Empty when they are too many to list.
   */
  readonly names: readonly string[]
}

const namesMax = 64

/**
 * One summary per business and mode, over the events that may be shown (so not duplicates), and the
 * number of lines.
 */
export function summariesOf(
  ndjson: Uint8Array,
  verdictOf: Uint8Array,
): { readonly lines: number; readonly summaries: readonly BlockSummary[] } {
  const drafts = new Map<string, Draft>()
  const { found, scan } = scanner(ndjson)
  let draft: Draft | undefined
  let lines = 0
  for (let from = 0; from < ndjson.length; lines += 1) {
    const shown = verdictOf[lines] !== verdicts.duplicate
    // Lines of one business mostly follow each other: only the first one is parsed.
    const scanned = shown && draft !== undefined && scan(draft.start, from)
    const end = ndjson.indexOf(lineFeed, scanned ? found.end : from)
    assert(end >= 0, 'A block of lines ends in the middle of one.')
    if (scanned && draft !== undefined) addScanned(draft, ndjson, found)
    else if (shown) draft = addParsed(drafts, decoder.decode(ndjson.subarray(from, end)))
    from = end + 1
  }
  return { lines, summaries: [...drafts.values()].map(finished) }
}

const lineFeed = 10
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A timestamp as two numbers, which are compared one after the other. */
interface Time {
  minute: number
  micros: number
}

interface Draft {
  readonly businessId: string
  readonly mode: Mode
  readonly start: Uint8Array
  readonly first: Time
  readonly last: Time
  events: number
  readonly customers: WordSet
  readonly names: Set<string>
  /** The bytes of the latest name. */
  name: Uint8Array
}

function addScanned(draft: Draft, ndjson: Uint8Array, found: Scanned): void {
  draft.events += 1
  draft.customers.add(found.hi, found.lo)
  widen(draft, found)
  const { nameFrom, nameTo } = found
  if (nameTo - nameFrom === draft.name.length && isSame(draft.name, ndjson, nameFrom)) return
  draft.name = ndjson.subarray(nameFrom, nameTo)
  addName(draft, decoder.decode(draft.name))
}

function isSame(name: Uint8Array, ndjson: Uint8Array, from: number): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (ndjson[from + index] !== name[index]) return false
  }
  return true
}

function addParsed(drafts: Map<string, Draft>, text: string): Draft {
  const line = parseLine(text)
  const key = `${line.mode}/${line.business_id}`
  const draft = drafts.get(key) ?? begun(drafts, key, [line.business_id, line.mode])
  draft.events += 1
  draft.customers.add(...wordsOf(line.customer_id))
  widen(draft, timeOf(sortableTimestamp(line.timestamp)))
  addName(draft, line.event_name)
  return draft
}

function addName(draft: Draft, name: string): void {
  if (draft.names.size <= namesMax) draft.names.add(name)
}

function widen({ first, last }: Draft, { micros, minute }: Time): void {
  if (minute < first.minute || (minute === first.minute && micros < first.micros)) {
    first.minute = minute
    first.micros = micros
  }
  if (minute > last.minute || (minute === last.minute && micros > last.micros)) {
    last.minute = minute
    last.micros = micros
  }
}

function begun(
  drafts: Map<string, Draft>,
  key: string,
  [businessId, mode]: readonly [string, Mode],
): Draft {
  const draft: Draft = {
    businessId,
    mode,
    start: lineStart(businessId, mode),
    first: { minute: Number.POSITIVE_INFINITY, micros: 0 },
    last: { minute: -1, micros: 0 },
    events: 0,
    customers: wordSet(),
    names: new Set(),
    name: new Uint8Array(),
  }
  drafts.set(key, draft)
  return draft
}

function finished(draft: Draft): BlockSummary {
  return {
    businessId: draft.businessId,
    mode: draft.mode,
    firstAt: instantOfTime(draft.first),
    lastAt: instantOfTime(draft.last),
    events: draft.events,
    customers: bloomOf(draft.customers.words()),
    names: draft.names.size > namesMax ? [] : [...new Set([...draft.names].map(storable))],
  }
}

/** Reads `2026-01-31T12:00:00.123456Z`. */
function timeOf(text: string): Time {
  const digits = text.replace(/\D/g, '')
  return { minute: Number(digits.slice(0, 12)), micros: Number(digits.slice(12)) }
}

function instantOfTime({ micros, minute }: Time): Instant {
  const [early, late] = [String(minute).padStart(12, '0'), String(micros).padStart(8, '0')]
  const [date, clock] = [early.slice(0, 8), `${early.slice(8)}${late.slice(0, 2)}`]
  const [day, time] = [date.match(/^(....)(..)(..)$/), clock.match(/../g)]
  const text = `${day?.slice(1).join('-')}T${time?.join(':')}.${late.slice(2)}Z`
  const at = parseInstant(text)
  if (at === null) throw new Error('An event of the log has a timestamp that cannot be read.')
  return at
}
