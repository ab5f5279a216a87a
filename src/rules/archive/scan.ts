import { wordsOver } from './bloom.ts'

/** What a summary needs of a line; the last successful `scan` fills it in. */
export interface Scanned {
  /** `wordsOf` the customer's id. */
  hi: number
  lo: number
  /** Where the event's name begins. */
  nameFrom: number
  nameTo: number
  /** The timestamp's digits as two numbers: down to the minute, and from there to microseconds. */
  minute: number
  micros: number
  /** The position right after the timestamp. */
  end: number
}

export interface Scanner {
  readonly found: Scanned
  /**
   * Whether the line that begins at `from` with `start` is a simple one; if not, it must be parsed.
   */
  scan(start: Uint8Array, from: number): boolean
}

/** What stands before the texts of an event, as the edge writes it (edge/ingest/lines.ts). */
export const lineStart = (businessId: string, mode: string): Uint8Array =>
  bytesOf(`{"business_id":${JSON.stringify(businessId)},"mode":"${mode}","event_id":"`)

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const customer = bytesOf('","customer_id":"')
const name = bytesOf('","event_name":"')
const time = bytesOf('","timestamp":"')
const [quote, backslash, beyondAscii] = [0x22, 0x5c, 0x80]

/**
 * Reads lines without making strings of them, at a quarter of the cost of parsing.
 *
 * This is safe: a text without a backslash ends at the next quote, what must follow is compared
 * byte by byte, and a customer's id in ASCII has the same words in bytes as in characters.
 */
export function scanner(ndjson: Uint8Array): Scanner {
  const found = { hi: 0, lo: 0, nameFrom: 0, nameTo: 0, minute: 0, micros: 0, end: 0 }
  return { found, scan }

  function scan(start: Uint8Array, from: number): boolean {
    if (!isAt(start, from)) return false
    const idTo = textEnd(from + start.length)
    if (idTo < 0 || !isAt(customer, idTo)) return false
    const customerFrom = idTo + customer.length
    const customerTo = textEnd(customerFrom)
    if (customerTo < 0 || !isAt(name, customerTo)) return false
    for (let at = customerFrom; at < customerTo; at += 1) {
      if ((ndjson[at] ?? 0) >= beyondAscii) return false
    }
    wordsOver(customerFrom, customerTo, ndjson, found)
    found.nameFrom = customerTo + name.length
    found.nameTo = textEnd(found.nameFrom)
    if (found.nameTo < 0 || !isAt(time, found.nameTo)) return false
    return readTime(found.nameTo + time.length)
  }

  function isAt(text: Uint8Array, from: number): boolean {
    for (let index = 0; index < text.length; index += 1) {
      if (ndjson[from + index] !== text[index]) return false
    }
    return true
  }

  /** The position of the quote that ends a text; −1 where the text has a backslash. */
  function textEnd(from: number): number {
    for (let at = from; at < ndjson.length; at += 1) {
      const byte = ndjson[at]
      if (byte === quote) return at
      if (byte === backslash) return -1
    }
    return -1
  }

  /** Reads `2026-01-31T12:00:00.123456Z"`: only this form, which sorts like the time. */
  function readTime(from: number): boolean {
    let [minute, micros] = [0, 0]
    for (let index = 0; index < timeForm.length; index += 1) {
      const byte = ndjson[from + index] ?? 0
      const wanted = timeForm[index] ?? 0
      if (wanted !== digit) {
        if (byte !== wanted) return false
        continue
      }
      const value = byte - digit
      if (value < 0 || value > 9) return false
      if (index < secondsFrom) minute = minute * 10 + value
      else micros = micros * 10 + value
    }
    found.minute = minute
    found.micros = micros
    found.end = from + timeForm.length
    return true
  }
}

const digit = 0x30
const timeForm = bytesOf('0000-00-00T00:00:00.000000Z"')
const secondsFrom = 'yyyy-mm-ddThh:mm:'.length
