import { limits } from '../../../limits.ts'
import {
  afterBlanks,
  byteAt,
  plainTextEnd,
  signs,
  standsAt,
  unusual,
  valueAfter,
  wordOf,
} from './bytes.ts'
import { FoundEvents, metadataSize, parts } from './found.ts'
import { metadataScanner } from './metadata.ts'
import type { Stamps } from './stamps.ts'

/**
 * Finds the events of a body in UTF-8. False: the body is for the parser, whatever is wrong with it
 * or unusual about it.
 */
export type ScanBody = (bytes: Buffer, found: FoundEvents) => boolean

/** The fields of an event, by their number. */
const names = ['"event_id"', '"customer_id"', '"event_name"', '"timestamp"', '"metadata"'].map(
  wordOf,
)
const [eventId, customerId, eventName, timestamp, metadata] = [0, 1, 2, 3, 4] as const
/** A bit for each of those that must be there. */
const needed = (1 << eventId) | (1 << customerId) | (1 << eventName)
const eventsWord = wordOf('"events"')
const nullWord = wordOf('null')

export function bodyScanner(stamps: Stamps): ScanBody {
  const scanner = metadataScanner()
  // The event that is being read, and where it goes: not handed on, since that is done for each.
  let into = new FoundEvents()
  let index = 0
  return scan

  function scan(bytes: Buffer, found: FoundEvents): boolean {
    into = found
    found.count = 0
    let at = listBegin(bytes)
    while (at !== unusual) {
      at = eventEnd(bytes, at)
      if (at === unusual) return false
      at = afterBlanks(bytes, at)
      if (byteAt(bytes, at) !== signs.comma) return isListEnd(bytes, at)
      at = afterBlanks(bytes, at + 1)
    }
    return false
  }

  /** The position behind the event whose bracket stands at `from`. */
  function eventEnd(bytes: Buffer, from: number): number {
    const place = byteAt(bytes, from) === signs.openObject ? into.begin() : null
    if (place === null) return unusual
    index = place
    let [at, seen] = [from, 0]
    do {
      at = afterBlanks(bytes, at + 1)
      const field = fieldAt(bytes, at)
      if (field === unusual || (seen & (1 << field)) !== 0) return unusual
      seen |= 1 << field
      const value = valueAfter(bytes, at + (names[field] as Uint8Array).length)
      const end = value === unusual ? unusual : fieldEnd(bytes, value, field)
      if (end === unusual) return unusual
      at = afterBlanks(bytes, end)
    } while (byteAt(bytes, at) === signs.comma)
    const isWhole = byteAt(bytes, at) === signs.closeObject && (seen & needed) === needed
    return isWhole ? at + 1 : unusual
  }

  /** The position behind the value of a field. */
  function fieldEnd(bytes: Buffer, from: number, field: number): number {
    if (field === metadata) return metadataEnd(bytes, from)
    if (field === timestamp) return timestampEnd(bytes, from)
    if (byteAt(bytes, from) !== signs.quote) return unusual
    const end = plainTextEnd(bytes, from + 1)
    const length = end - from - 1
    // As many bytes as it may have characters: a text has at most as many characters as bytes.
    if (length < 1 || length > limits.eventTextMax) return unusual
    into.note(index, partOf[field] as number, from + 1)
    into.note(index, (partOf[field] as number) + 1, end)
    return end + 1
  }

  function timestampEnd(bytes: Buffer, from: number): number {
    if (standsAt(nullWord, bytes, from)) return from + nullWord.length
    if (byteAt(bytes, from) !== signs.quote) return unusual
    const end = plainTextEnd(bytes, from + 1)
    const at = end === unusual ? null : stamps.read(bytes, from + 1, end)
    if (at === null) return unusual
    into.times[index] = at
    return end + 1
  }

  function metadataEnd(bytes: Buffer, from: number): number {
    const isObject = byteAt(bytes, from) === signs.openObject
    if (!isObject && !standsAt(nullWord, bytes, from)) return unusual
    const end = isObject ? scanner.endOf(bytes, from) : from + nullWord.length
    into.note(index, parts.metadata, from)
    into.note(index, parts.metadata + 1, end)
    into.note(index, metadataSize, isObject ? scanner.size : nullWord.length)
    return end
  }
}

const partOf = [parts.id, parts.customer, parts.name]

/** The place in `names` of the field whose quote stands at a position. */
function fieldAt(bytes: Uint8Array, at: number): number {
  const field = guessed(byteAt(bytes, at + 1), byteAt(bytes, at + 7))
  return field !== unusual && standsAt(names[field] as Uint8Array, bytes, at) ? field : unusual
}

/** The field that two of its letters leave: event_Id, event_Name, Customer_id, Timestamp, M. */
function guessed(first: number, seventh: number): number {
  if (first === letters.e) return seventh === letters.i ? eventId : eventName
  if (first === letters.c) return customerId
  if (first === letters.t) return timestamp
  return first === letters.m ? metadata : unusual
}

const letters = { c: 99, e: 101, i: 105, m: 109, t: 116 } as const

/** Where the first event begins, behind `{"events":[`. */
function listBegin(bytes: Uint8Array): number {
  const open = afterBlanks(bytes, 0)
  if (byteAt(bytes, open) !== signs.openObject) return unusual
  const name = afterBlanks(bytes, open + 1)
  if (!standsAt(eventsWord, bytes, name)) return unusual
  const list = valueAfter(bytes, name + eventsWord.length)
  const isList = list !== unusual && byteAt(bytes, list) === signs.openList
  return isList ? afterBlanks(bytes, list + 1) : unusual
}

/** Whether `]}` and blanks are all that is left. */
function isListEnd(bytes: Uint8Array, at: number): boolean {
  if (byteAt(bytes, at) !== signs.closeList) return false
  const close = afterBlanks(bytes, at + 1)
  if (byteAt(bytes, close) !== signs.closeObject) return false
  return afterBlanks(bytes, close + 1) === bytes.length
}
