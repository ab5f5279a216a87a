// What was found of each event: where its parts stand, from a byte on up to another one.
import { spanBytes, spans, times } from './memory.ts'

export const idPart: usize = 0
export const customerPart: usize = 8
export const namePart: usize = 16
/** With its brackets, or `null`; 0 to 0: it was not sent. */
export const metadataPart: usize = 24
/** Behind the parts: how long the metadata is without the blanks outside of its texts. */
const metadataSize: usize = 32

export function beginEvent(index: i32): void {
  const own = spans + <usize>index * spanBytes
  store<u64>(own + metadataPart, 0)
  store<f64>(times + <usize>index * 8, NaN)
}

/** The address of a part of an event, as `note` takes it. */
export function spanOf(index: i32, part: usize): usize {
  return spans + <usize>index * spanBytes + part
}

export function note(own: usize, from: usize, end: usize): void {
  store<u32>(own, <u32>from)
  store<u32>(own + 4, <u32>end)
}

export function noteSize(index: i32, size: u32): void {
  store<u32>(spans + <usize>index * spanBytes + metadataSize, size)
}

export function noteTime(index: i32, at: f64): void {
  store<f64>(times + <usize>index * 8, at)
}

export function from(index: i32, part: usize): usize {
  return <usize>load<u32>(spans + <usize>index * spanBytes + part)
}

export function end(index: i32, part: usize): usize {
  return <usize>load<u32>(spans + <usize>index * spanBytes + part + 4)
}

export function metadataBytesOf(index: i32): usize {
  return <usize>load<u32>(spans + <usize>index * spanBytes + metadataSize)
}

/** When the event happened; one without a time at `at`. */
export function eventTime(index: i32, at: f64): f64 {
  const time = load<f64>(times + <usize>index * 8)
  return isNaN(time) ? at : time
}
