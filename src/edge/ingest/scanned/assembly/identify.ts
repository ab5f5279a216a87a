// The identities of the events (src/std/fingerprint.ts): SipHash-1-3 with 128 bits, continued from
// the state that stands for their business and mode; and the order that the partitions give them.
import { end, from, idPart } from './found.ts'
import {
  counts,
  freeSlots,
  identities,
  identityBytes,
  partitionCount,
  partitionsOf,
  slots,
  sortedEvents,
} from './memory.ts'

/** v0 … v3 after the business and the mode, and how many bytes went in. */
export const prefix = heap.alloc(32)

let v0: u64 = 0
let v1: u64 = 0
let v2: u64 = 0
let v3: u64 = 0

/** `before`: how many bytes went into the prefix. */
export function identify(count: i32, before: u32): void {
  for (let index = 0; index < count; index += 1) hash(index, before)
}

function hash(index: i32, before: u32): void {
  const first = from(index, idPart)
  const last = end(index, idPart)
  const into = identities + <usize>index * identityBytes
  v0 = load<u64>(prefix)
  v1 = load<u64>(prefix + 8)
  v2 = load<u64>(prefix + 16)
  v3 = load<u64>(prefix + 24)
  let at = first
  for (; at + 8 <= last; at += 8) absorb(load<u64>(at))
  const left = <u64>(last - at)
  const tail = left === 0 ? 0 : load<u64>(at) & (((<u64>1) << (left << 3)) - 1)
  absorb(tail | ((<u64>(before + <u32>(last - first))) << 56))
  v2 ^= 0xee
  for (let times = 0; times < 3; times += 1) round()
  const one = v0 ^ v1 ^ v2 ^ v3
  v1 ^= 0xdd
  for (let times = 0; times < 3; times += 1) round()
  const other = v0 ^ v1 ^ v2 ^ v3
  // Each half of its own, the upper one first.
  store<u64>(into, rotl<u64>(one, 32))
  store<u64>(into + 8, rotl<u64>(other, 32))
}

function absorb(block: u64): void {
  v3 ^= block
  round()
  v0 ^= block
}

function round(): void {
  v0 += v1
  v1 = rotl<u64>(v1, 13) ^ v0
  v0 = rotl<u64>(v0, 32)
  v2 += v3
  v3 = rotl<u64>(v3, 16) ^ v2
  v0 += v3
  v3 = rotl<u64>(v3, 21) ^ v0
  v2 += v1
  v1 = rotl<u64>(v1, 17) ^ v2
  v2 = rotl<u64>(v2, 32)
}

/**
 * Whether two events have one identity. Equal ids do, whatever else does: so a request in which
 * none is repeated has no two equal ids.
 */
export function isRepeated(count: i32): bool {
  if (count === 1) return false
  const size = freeSlots(count)
  for (let index = 0; index < count; index += 1) {
    const own = identities + <usize>index * identityBytes
    let slot = load<u32>(own) & (size - 1)
    for (;;) {
      const held = load<u32>(slots + <usize>slot * 4)
      if (held === 0) break
      const other = identities + <usize>(held - 1) * identityBytes
      if (load<u64>(own) === load<u64>(other) && load<u64>(own + 8) === load<u64>(other + 8)) {
        return true
      }
      slot = (slot + 1) & (size - 1)
    }
    store<u32>(slots + <usize>slot * 4, index + 1)
  }
  return false
}

/** Puts the events in the order of their partitions, by counting. */
export function sort(count: i32): void {
  memory.fill(counts, 0, (<usize>partitionCount + 1) * 4)
  for (let index: usize = 0; index < <usize>count; index += 1) {
    const partition = load<u32>(identities + index * identityBytes + 12) % partitionCount
    store<u32>(partitionsOf + index * 4, partition)
    const at = counts + (<usize>partition + 1) * 4
    store<u32>(at, load<u32>(at) + 1)
  }
  // What each partition counts becomes where it begins.
  for (let partition: usize = 1; partition <= <usize>partitionCount; partition += 1) {
    const at = counts + partition * 4
    store<u32>(at, load<u32>(at) + load<u32>(at - 4))
  }
  for (let index: usize = 0; index < <usize>count; index += 1) {
    const at = counts + <usize>load<u32>(partitionsOf + index * 4) * 4
    const place = load<u32>(at)
    store<u32>(sortedEvents + <usize>place * 4, <u32>index)
    store<u32>(at, place + 1)
  }
}
