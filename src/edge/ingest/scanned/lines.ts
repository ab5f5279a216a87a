import { limits } from '../../../limits.ts'
import type { Mode } from '../../../rules/meter/meter.ts'
import type { Instant } from '../../../std/instant.ts'
import type { Piece } from '../packer.ts'
import { isBlank, signs, wordOf } from './bytes.ts'
import type { FoundEvents } from './found.ts'
import { parts } from './found.ts'
import type { Stamps } from './stamps.ts'

/** Whose events they are, and when they came. */
export interface Receipt {
  readonly businessId: string
  readonly mode: Mode
  /** The business's time. */
  readonly at: Instant
}

/**
 * Writes the events of a body that are not known yet as lines of the event log, byte for byte as
 * `linesOf` does, and cuts them into pieces by partition.
 */
export type WriteLines = (bytes: Buffer, found: FoundEvents, receipt: Receipt) => readonly Piece[]

/** What stands between the parts of a line. */
const words = {
  customer: wordOf('","customer_id":"'),
  name: wordOf('","event_name":"'),
  timestamp: wordOf('","timestamp":"'),
  metadata: wordOf('","metadata":'),
  plainEnd: wordOf('"}\n'),
  end: wordOf('}\n'),
}

/** The most that a line takes besides its beginning, its texts and its metadata. */
const fixedBytes =
  words.customer.length +
  words.name.length +
  words.timestamp.length +
  words.metadata.length +
  words.end.length +
  'yyyy-mm-ddThh:mm:ss.uuuuuuZ'.length

export function lineWriter(stamps: Stamps): WriteLines {
  const startOf = lineStarts()
  // Where bytes come from, and where they go: not handed on, since that is done for each event.
  let from: Buffer = Buffer.alloc(0)
  let into: Buffer = Buffer.alloc(0)
  let end = 0
  return write

  function write(bytes: Buffer, found: FoundEvents, receipt: Receipt): readonly Piece[] {
    const start = startOf(receipt)
    from = bytes
    into = Buffer.allocUnsafe(roomFor(found, start.length))
    end = 0
    const pieces: Piece[] = []
    let [begun, events, partition] = [0, 0, -1]
    for (let place = 0; place < found.count; place += 1) {
      const index = found.order[place] as number
      if (found.known[index] === 1) continue
      const own = found.partitions[index] as number
      if (events > 0 && (own !== partition || end - begun >= limits.pieceCharactersMax)) {
        pieces.push({ partition, bytes: into.subarray(begun, end), events })
        begun = end
        events = 0
      }
      partition = own
      put(start)
      line(found, index, receipt.at)
      events += 1
    }
    if (events > 0) pieces.push({ partition, bytes: into.subarray(begun, end), events })
    return pieces
  }

  /** What is known of an event itself, from its id on. */
  function line(found: FoundEvents, index: number, at: Instant): void {
    copy(found.from(index, parts.id), found.end(index, parts.id))
    put(words.customer)
    copy(found.from(index, parts.customer), found.end(index, parts.customer))
    put(words.name)
    copy(found.from(index, parts.name), found.end(index, parts.name))
    put(words.timestamp)
    end = stamps.write(found.timeOf(index, at), into, end)
    const [first, last] = [found.from(index, parts.metadata), found.end(index, parts.metadata)]
    if (last === 0) {
      put(words.plainEnd)
      return
    }
    put(words.metadata)
    if (found.sizeOf(index) === last - first) copy(first, last)
    else copyWithoutBlanks(first, last)
    put(words.end)
  }

  // Loops, since a call of Buffer's costs more than some hundred bytes of them.
  function put(word: Uint8Array): void {
    for (let at = 0; at < word.length; at += 1) into[end + at] = word[at] as number
    end += word.length
  }

  function copy(first: number, last: number): void {
    const shift = end - first
    for (let at = first; at < last; at += 1) into[at + shift] = from[at] as number
    end = last + shift
  }

  function copyWithoutBlanks(first: number, last: number): void {
    let inText = false
    for (let at = first; at < last; at += 1) {
      const byte = from[at] as number
      if (!inText && isBlank(byte)) continue
      into[end] = byte
      end += 1
      if (byte === signs.quote) inText = !inText
      else if (byte === signs.backslash) {
        // What is escaped is no quote, whatever it looks like.
        at += 1
        into[end] = from[at] as number
        end += 1
      }
    }
  }
}

/** How much the lines of all events take, known ones included. */
function roomFor(found: FoundEvents, startBytes: number): number {
  let room = found.count * (startBytes + fixedBytes)
  for (let index = 0; index < found.count; index += 1) {
    room += found.end(index, parts.id) - found.from(index, parts.id)
    room += found.end(index, parts.customer) - found.from(index, parts.customer)
    room += found.end(index, parts.name) - found.from(index, parts.name)
    room += found.sizeOf(index)
  }
  return room
}

/** The beginning that all lines of a business share, remembered for the last one. */
function lineStarts(): (receipt: Receipt) => Uint8Array {
  let [ofBusiness, ofMode] = ['', '']
  let start = new Uint8Array(0)
  return ({ businessId, mode }) => {
    if (businessId === ofBusiness && mode === ofMode) return start
    const business = JSON.stringify(businessId)
    start = Buffer.from(`{"business_id":${business},"mode":"${mode}","event_id":"`)
    ofBusiness = businessId
    ofMode = mode
    return start
  }
}
