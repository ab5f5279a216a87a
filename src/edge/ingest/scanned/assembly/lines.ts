// Writes events as lines of the event log, byte for byte as `../../lines.ts` does.
import * as found from './found.ts'
import { backslash, isBlank, quote } from './json.ts'
import { wordBytes, slack, wordOf } from './memory.ts'
import { writeStamp } from './stamps.ts'

const customerWord = wordOf('","customer_id":"')
const nameWord = wordOf('","event_name":"')
const timestampWord = wordOf('","timestamp":"')
const metadataWord = wordOf('","metadata":')
const plainEnd = wordOf('"}\n')
const lineEnd = wordOf('}\n')

/** The most that a line takes besides its beginning, its texts and its metadata. */
const fixedBytes: usize = 96

/** The most that the lines of a body take: parts of it, and what stands around them. */
export function linesMax(bodyBytes: usize, count: i32, startBytes: usize): usize {
  return bodyBytes + <usize>count * (startBytes + fixedBytes) + slack
}

/** Where the next byte goes. */
let into: usize = 0

/** The longest beginning of a line. */
export const startMax: usize = 512
/** The beginning that all lines of a business share. */
export const sharedStart = heap.alloc(startMax + slack)

let startBytes: usize = 0
let now: f64 = 0

/** Begins the lines of a body that came at `at`; `bytes`: how long their beginning is. */
export function beginLines(at: f64, bytes: usize): void {
  now = at
  startBytes = bytes
}

/** Writes one event from `to` on; answers the position behind it. */
export function writeLine(index: i32, to: usize): usize {
  into = to
  copy(sharedStart, sharedStart + startBytes)
  copyPart(index, found.idPart)
  put(customerWord)
  copyPart(index, found.customerPart)
  put(nameWord)
  copyPart(index, found.namePart)
  put(timestampWord)
  into = writeStamp(found.eventTime(index, now), into)
  const first = found.from(index, found.metadataPart)
  const last = found.end(index, found.metadataPart)
  if (last === 0) {
    put(plainEnd)
    return into
  }
  put(metadataWord)
  if (found.metadataBytesOf(index) === last - first) copy(first, last)
  else copyWithoutBlanks(first, last)
  put(lineEnd)
  return into
}

function copyPart(index: i32, part: usize): void {
  copy(found.from(index, part), found.end(index, part))
}

function put(word: usize): void {
  copy(word + 4, word + 4 + wordBytes(word))
}

/** In steps of sixteen bytes: what is copied behind the end is written over by what follows. */
function copy(first: usize, last: usize): void {
  const shift = into - first
  for (let at = first; at < last; at += 16) v128.store(at + shift, v128.load(at))
  into = last + shift
}

function copyWithoutBlanks(first: usize, last: usize): void {
  let inText = false
  for (let at = first; at < last; at += 1) {
    const byte = load<u8>(at)
    if (!inText && isBlank(byte)) continue
    store<u8>(into, byte)
    into += 1
    if (byte === quote) inText = !inText
    else if (byte === backslash) {
      // What is escaped is no quote, whatever it looks like.
      at += 1
      store<u8>(into, load<u8>(at))
      into += 1
    }
  }
}
