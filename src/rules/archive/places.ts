import type { Instant } from '../../std/instant.ts'
import { instantOf } from '../../std/instant.ts'

/** Where a record of the log lay, when it came in, and how many events it has. */
export interface PlacedRecord {
  readonly offset: number
  readonly at: Instant
  readonly events: number
}

/**
 * Places take a few bytes per record: three numbers in base 128, low digits first. Offset and log
 * time are stored as the difference to the record before (for the first one, to 0).
 *
 * Log times lie between 1970 and 2112, so that even a folded difference is a safe integer.
 *
 *    offset − before │ at − before, folded (log time may step back) │ events
 */
export function packPlaces(records: readonly PlacedRecord[]): Uint8Array {
  const bytes: number[] = []
  let offset = 0
  let at = 0
  for (const record of records) {
    put(bytes, record.offset - offset)
    put(bytes, folded(record.at - at))
    put(bytes, record.events)
    offset = record.offset
    at = record.at
  }
  return Uint8Array.from(bytes)
}

export function unpackPlaces(bytes: Uint8Array): readonly PlacedRecord[] {
  const records: PlacedRecord[] = []
  let next = 0
  let offset = 0
  let at = 0
  while (next < bytes.length) {
    offset += take()
    at += unfolded(take())
    records.push({ offset, at: instantOf(at), events: take() })
  }
  return records

  function take(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[next]
      if (byte === undefined) throw new Error('The places of a block end in the middle.')
      next += 1
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
}

function put(bytes: number[], value: number): void {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
}

/** Maps small numbers of either sign to small numbers: 0, −1, 1, −2, … become 0, 1, 2, 3, … */
const folded = (value: number): number => (value >= 0 ? value * 2 : -value * 2 - 1)
const unfolded = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)
