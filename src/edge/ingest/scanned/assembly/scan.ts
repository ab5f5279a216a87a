// Finds the events of a body in UTF-8.
import * as found from './found.ts'
import {
  afterBlanks,
  byteAt,
  closeList,
  closeObject,
  comma,
  openList,
  openObject,
  plainTextEnd,
  quote,
  standsAt,
  unusual,
  valueAfter,
} from './json.ts'
import { eventsMax, wordBytes, textMax, wordOf } from './memory.ts'
import { nullWord, objectEnd, size } from './metadata.ts'
import { readStamp } from './stamps.ts'

/** How many events the body has; 0: it is for the parser, whatever is wrong or unusual about it. */
export function scan(from: usize, end: usize): i32 {
  let at = listBegin(from)
  let count = 0
  while (at !== unusual) {
    if (count === eventsMax) return 0
    at = eventEnd(at, count)
    if (at === unusual) return 0
    count += 1
    at = afterBlanks(at)
    if (byteAt(at) !== comma) return isListEnd(at, end) ? count : 0
    at = afterBlanks(at + 1)
  }
  return 0
}

/** The fields of an event, by their number. */
const eventId: i32 = 0
const customerId: i32 = 1
const eventName: i32 = 2
const timestamp: i32 = 3
const metadata: i32 = 4
const eventIdWord = wordOf('"event_id"')
const customerIdWord = wordOf('"customer_id"')
const eventNameWord = wordOf('"event_name"')
const timestampWord = wordOf('"timestamp"')
const metadataWord = wordOf('"metadata"')
const eventsWord = wordOf('"events"')
/** A bit for each of those that must be there. */
const needed: i32 = (1 << eventId) | (1 << customerId) | (1 << eventName)

/** The position behind the event whose bracket stands at `from`. */
function eventEnd(from: usize, index: i32): usize {
  if (byteAt(from) !== openObject) return unusual
  found.beginEvent(index)
  let at = from
  let seen = 0
  do {
    at = afterBlanks(at + 1)
    const field = guessedAt(at)
    if (field < 0 || (seen & (1 << field)) !== 0) return unusual
    const word = wordFor(field)
    if (!standsAt(word, at)) return unusual
    seen |= 1 << field
    const value = valueAfter(at + wordBytes(word))
    const end = value === unusual ? unusual : fieldEnd(value, field, index)
    if (end === unusual) return unusual
    at = afterBlanks(end)
  } while (byteAt(at) === comma)
  const isWhole = byteAt(at) === closeObject && (seen & needed) === needed
  return isWhole ? at + 1 : unusual
}

/** The field that two of its letters leave: event_Id, event_Name, Customer_id, Timestamp, M. */
function guessedAt(at: usize): i32 {
  const first = byteAt(at + 1)
  if (first === 101) return byteAt(at + 7) === 105 ? eventId : eventName
  if (first === 99) return customerId
  if (first === 116) return timestamp
  return first === 109 ? metadata : -1
}

function wordFor(field: i32): usize {
  if (field === eventId) return eventIdWord
  if (field === customerId) return customerIdWord
  if (field === eventName) return eventNameWord
  return field === timestamp ? timestampWord : metadataWord
}

/** The position behind the value of a field. */
function fieldEnd(from: usize, field: i32, index: i32): usize {
  if (field === metadata) return metadataEnd(from, index)
  if (field === timestamp) return timestampEnd(from, index)
  if (byteAt(from) !== quote) return unusual
  const end = plainTextEnd(from + 1)
  if (end === unusual) return unusual
  const length = end - from - 1
  // As many bytes as it may have characters: a text has at most as many characters as bytes.
  if (length < 1 || length > <usize>textMax) return unusual
  found.note(found.spanOf(index, <usize>field * 8), from + 1, end)
  return end + 1
}

function timestampEnd(from: usize, index: i32): usize {
  if (standsAt(nullWord, from)) return from + wordBytes(nullWord)
  if (byteAt(from) !== quote) return unusual
  const end = plainTextEnd(from + 1)
  if (end === unusual) return unusual
  const at = readStamp(from + 1, end)
  if (isNaN(at)) return unusual
  found.noteTime(index, at)
  return end + 1
}

function metadataEnd(from: usize, index: i32): usize {
  const isObject = byteAt(from) === openObject
  if (!isObject && !standsAt(nullWord, from)) return unusual
  const end = isObject ? objectEnd(from) : from + wordBytes(nullWord)
  if (end === unusual) return unusual
  found.note(found.spanOf(index, found.metadataPart), from, end)
  found.noteSize(index, isObject ? size : <u32>wordBytes(nullWord))
  return end
}

/** Where the first event begins, behind `{"events":[`. */
function listBegin(from: usize): usize {
  const open = afterBlanks(from)
  if (byteAt(open) !== openObject) return unusual
  const name = afterBlanks(open + 1)
  if (!standsAt(eventsWord, name)) return unusual
  const list = valueAfter(name + wordBytes(eventsWord))
  if (list === unusual || byteAt(list) !== openList) return unusual
  return afterBlanks(list + 1)
}

/** Whether `]}` and blanks are all that is left. */
function isListEnd(at: usize, end: usize): bool {
  if (byteAt(at) !== closeList) return false
  const close = afterBlanks(at + 1)
  if (byteAt(close) !== closeObject) return false
  return afterBlanks(close + 1) === end
}
