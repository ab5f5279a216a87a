import type { Instant } from '../../../std/instant.ts'
import { instantOf, second } from '../../../std/instant.ts'
import type { Timestamps } from '../timestamp.ts'
import { signs } from './bytes.ts'
import { isDigit } from './numbers.ts'

/** Reads and writes timestamps as `timestamps` does, in bytes. */
export interface Stamps {
  /** What stands between two positions; null: nothing that the scanner takes. */
  read(bytes: Buffer, from: number, end: number): Instant | null
  /** Writes RFC 3339 with microseconds; answers the position behind it. */
  write(at: Instant, into: Uint8Array, from: number): number
}

/** `yyyy-mm-ddThh:mm:ss`, which the events of a request nearly always share. */
const toTheSecond = 19
const fractionMax = 6

/** Remembers the last second that was read, and the last one that was written. */
export function stampsIn(timestamps: Timestamps): Stamps {
  const readBytes = new Uint8Array(toTheSecond)
  let readSecond = Number.NaN
  const written = new Uint8Array(toTheSecond + 1)
  let writtenSecond = Number.NaN
  return { read, write }

  function read(bytes: Buffer, from: number, end: number): Instant | null {
    const micros = microsOf(bytes, from + toTheSecond, end)
    if (micros < 0) return other(bytes.toString('latin1', from, end))
    for (let index = 0; index < toTheSecond; index += 1) {
      if (bytes[from + index] !== readBytes[index]) return another(bytes, from, micros)
    }
    return exact(readSecond + micros)
  }

  /** Another second than the last one. */
  function another(bytes: Buffer, from: number, micros: number): Instant | null {
    const text = bytes.toString('latin1', from, from + toTheSecond)
    const whole = timestamps.read(`${text}Z`)
    if (whole === null) return null
    readBytes.set(bytes.subarray(from, from + toTheSecond))
    readSecond = whole
    return exact(whole + micros)
  }

  function other(text: string): Instant | null {
    const at = timestamps.read(text)
    return at === null ? null : exact(at)
  }

  function write(at: Instant, into: Uint8Array, from: number): number {
    let micros = ((at % second) + second) % second
    const whole = at - micros
    if (whole !== writtenSecond) {
      const text = timestamps.write(instantOf(whole))
      for (let index = 0; index < written.length; index += 1) {
        written[index] = text.charCodeAt(index)
      }
      writtenSecond = whole
    }
    for (let index = 0; index < written.length; index += 1) {
      into[from + index] = written[index] as number
    }
    const last = from + toTheSecond + fractionMax
    for (let place = last; place > last - fractionMax; place -= 1) {
      into[place] = signs.zero + (micros % 10)
      micros = Math.floor(micros / 10)
    }
    into[last + 1] = 0x5a
    return last + 2
  }
}

/** Far from today a double does not hold every microsecond. */
const exact = (micros: number): Instant | null =>
  Number.isSafeInteger(micros) ? instantOf(micros) : null

/** The microseconds of `.d…Z`, with up to six digits or none; negative: it is something else. */
function microsOf(bytes: Uint8Array, from: number, end: number): number {
  if (end <= from || bytes[end - 1] !== 0x5a) return -1
  if (end === from + 1) return 0
  const digits = end - from - 2
  if (bytes[from] !== signs.point || digits < 1 || digits > fractionMax) return -1
  let micros = 0
  for (let at = from + 1; at < end - 1; at += 1) {
    const byte = bytes[at] as number
    if (!isDigit(byte)) return -1
    micros = micros * 10 + byte - signs.zero
  }
  for (let place = digits; place < fractionMax; place += 1) micros *= 10
  return micros
}
