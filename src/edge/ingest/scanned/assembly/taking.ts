// Takes the usual body by its bytes: the part of `..` that looks at each byte. `../README.md` says
// what it takes, and why that is right; `../assembly.ts` is its only caller.
import { distinctCustomers } from './customers.ts'
import { eventTime } from './found.ts'
import { identify, isRepeated, prefix, sort } from './identify.ts'
import { beginLines, linesMax, sharedStart, startMax, writeLine } from './lines.ts'
import {
  bounds,
  eventsMax,
  identities,
  identityBytes,
  partitionsOf,
  setBounds,
  slack,
  sortedEvents,
} from './memory.ts'
import { scan } from './scan.ts'

/**
 * What the host says of a request: when it came, since when and until when its events may have
 * happened (doubles); how long the beginning of its lines is, and how many bytes went into the
 * prefix (words).
 */
const request = heap.alloc(32)
/**
 * What is told of each event, in the order of the lines: three words of fingerprints, one event
 * after the other; then the partitions; then where the lines end.
 */
let facts: usize = 0
let customers: usize = 0
let body: usize = 0
let lines: usize = 0
let linesEnd: usize = 0
let customersFound: i32 = 0

/** Once, when the bounds are written. */
export function prepare(): void {
  setBounds()
  facts = heap.alloc(<usize>eventsMax * 20)
  customers = heap.alloc(<usize>eventsMax * 8)
  body = heap.alloc(slack) + slack
}

export function boundsAt(): usize {
  return bounds
}
export function requestAt(): usize {
  return request
}
export function startAt(): usize {
  return sharedStart
}
export function startBytesMax(): usize {
  return startMax
}
export function prefixAt(): usize {
  return prefix
}
export function factsAt(): usize {
  return facts
}
export function customersAt(): usize {
  return customers
}
export function customerCount(): i32 {
  return customersFound
}
export function linesAt(): usize {
  return lines
}
export function linesLength(): usize {
  return linesEnd - lines
}

/** Makes room for a body and its lines, and answers where the body goes. */
export function bodyAt(bytes: usize, events: i32, startBytes: usize): usize {
  const needed = body + bytes + slack * 2 + linesMax(bytes, events, startBytes)
  const pages = <i32>((needed + 0xffff) >> 16)
  const missing = pages - memory.size()
  if (missing > 0 && memory.grow(missing) < 0) return 0
  return body
}

/** Takes a body of so many bytes. Answers how many events it has; 0: it is for the parser. */
export function take(bytes: usize): i32 {
  const at = load<f64>(request)
  const startBytes = <usize>load<u32>(request + 24)
  const before = load<u32>(request + 28)
  store<u64>(body + bytes, 0)
  const count = scan(body, body + bytes)
  if (count === 0 || !isTimely(count)) return 0
  identify(count, before)
  if (isRepeated(count)) return 0
  sort(count)
  customersFound = distinctCustomers(count, customers)
  lines = body + bytes + slack * 2
  let end = lines
  beginLines(at, startBytes)
  const ends = facts + <usize>count * 16
  for (let place: usize = 0; place < <usize>count; place += 1) {
    const index = load<u32>(sortedEvents + place * 4)
    end = writeLine(index, end)
    store<u32>(ends + place * 4, <u32>(end - lines))
    tell(place, index, count)
  }
  linesEnd = end
  return count
}

function isTimely(count: i32): bool {
  const at = load<f64>(request)
  const since = load<f64>(request + 8)
  const until = load<f64>(request + 16)
  for (let index = 0; index < count; index += 1) {
    const time = eventTime(index, at)
    if (time < since || time > until) return false
  }
  return true
}

function tell(place: usize, index: u32, count: i32): void {
  const identity = identities + <usize>index * identityBytes
  const print = facts + place * 12
  store<u64>(print, load<u64>(identity))
  store<u32>(print + 8, load<u32>(identity + 8))
  const partition = load<u32>(partitionsOf + <usize>index * 4)
  store<u32>(facts + <usize>count * 12 + place * 4, partition)
}
