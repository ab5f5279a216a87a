// Reads and writes times. The second, which the events of a request nearly always share, is the
// host's to read and to write; it is remembered here.
import { byteAt, isDigit, point, zero } from './json.ts'
import { slack } from './memory.ts'

/** The instant of a text; NaN: there is none that a double holds to the microsecond. */
@external('host', 'instantOf')
declare function instantOf(from: usize, end: usize): f64

/** Writes `yyyy-mm-ddThh:mm:ss.` of a whole second. */
@external('host', 'writeSecond')
declare function writeSecond(at: f64, into: usize): void

/** `yyyy-mm-ddThh:mm:ss` */
const toTheSecond: usize = 19
const fractionMax: i32 = 6
const second: i64 = 1_000_000
/** The largest integer up to which a double holds each. */
const exactMax: f64 = 9007199254740991

/** A second with a Z behind it, as the host reads it. */
const readText = heap.alloc(toTheSecond + 1 + slack)
let readSecond: f64 = NaN
const writtenText = heap.alloc(toTheSecond + 1 + slack)
let writtenSecond: i64 = i64.MIN_VALUE

/** The instant between two positions; NaN: nothing that the scanner takes. */
export function readStamp(from: usize, end: usize): f64 {
  const micros = microsOf(from + toTheSecond, end)
  if (micros < 0) return instantOf(from, end)
  if (!isReadSecond(from) && !readAnother(from)) return NaN
  const at = readSecond + <f64>micros
  return abs(at) <= exactMax ? at : NaN
}

function isReadSecond(from: usize): bool {
  return (
    load<u64>(from) === load<u64>(readText) &&
    load<u64>(from + 8) === load<u64>(readText + 8) &&
    load<u32>(from + 15) === load<u32>(readText + 15)
  )
}

/** Another second than the last one. */
function readAnother(from: usize): bool {
  memory.copy(readText, from, toTheSecond)
  store<u8>(readText + toTheSecond, 0x5a)
  readSecond = instantOf(readText, readText + toTheSecond + 1)
  if (!isNaN(readSecond)) return true
  store<u8>(readText, 0)
  return false
}

/**
 * The microseconds of `.d…Z`, with up to six digits or none; negative: it is something else.
 */
function microsOf(from: usize, end: usize): i32 {
  if (end <= from || byteAt(end - 1) !== 0x5a) return -1
  if (end === from + 1) return 0
  const digits = <i32>(end - from) - 2
  if (byteAt(from) !== point || digits < 1 || digits > fractionMax) return -1
  let micros = 0
  for (let at = from + 1; at < end - 1; at += 1) {
    const byte = byteAt(at)
    if (!isDigit(byte)) return -1
    micros = micros * 10 + <i32>(byte - zero)
  }
  for (let place = digits; place < fractionMax; place += 1) micros *= 10
  return micros
}

/** Writes RFC 3339 with microseconds; answers the position behind it. */
export function writeStamp(time: f64, into: usize): usize {
  const at = <i64>time
  const rest = at % second
  let micros = <i32>(rest < 0 ? rest + second : rest)
  const whole = at - <i64>micros
  if (whole !== writtenSecond) {
    writeSecond(<f64>whole, writtenText)
    writtenSecond = whole
  }
  v128.store(into, v128.load(writtenText))
  store<u32>(into + 16, load<u32>(writtenText + 16))
  const last = into + toTheSecond + <usize>fractionMax
  for (let place = last; place > last - <usize>fractionMax; place -= 1) {
    store<u8>(place, zero + <u8>(micros % 10))
    micros /= 10
  }
  store<u8>(last + 1, 0x5a)
  return last + 2
}
