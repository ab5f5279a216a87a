// Where everything stands in the memory of the module. The events of one body at a time: nothing
// here outlives the call that takes it.

/** Loads and stores of sixteen bytes may reach so far behind the end of what they are about. */
export const slack: usize = 16

/** What a request may hold; set once, by `prepare` (taking.ts). */
export let eventsMax: i32 = 0
export let textMax: i32 = 0
export let keysMax: i32 = 0
export let keyMax: i32 = 0
export let valueMax: i32 = 0
export let partitionCount: u32 = 1

/** Sums of how many events each partition has. */
export let counts: usize = 0
/** The spans of each event (found.ts). */
export let spans: usize = 0
/** A double an event: microseconds since 1970; NaN: it was sent without a time. */
export let times: usize = 0
/** Four words an event: its fingerprint, and the word that chooses the partition. */
export let identities: usize = 0
/** A word an event: its partition. */
export let partitionsOf: usize = 0
/** The events by partition: those of one partition in the order in which they were sent. */
export let sortedEvents: usize = 0
/** Slots of the tables that find what comes twice. */
export let slots: usize = 0
/** The hashes of the keys of one metadata. */
export let keyHashes: usize = 0

/** Of which each event has nine. */
export const spanBytes: usize = 36
export const identityBytes: usize = 16

/** What a request may hold, as the host writes it: six words, in the order of `setBounds`. */
export const bounds = heap.alloc(24)

export function setBounds(): void {
  eventsMax = load<i32>(bounds)
  textMax = load<i32>(bounds + 4)
  keysMax = load<i32>(bounds + 8)
  keyMax = load<i32>(bounds + 12)
  valueMax = load<i32>(bounds + 16)
  partitionCount = load<u32>(bounds + 20)
  const all = <usize>eventsMax
  counts = heap.alloc((<usize>partitionCount + 1) * 4)
  spans = heap.alloc(all * spanBytes)
  times = heap.alloc(all * 8)
  identities = heap.alloc(all * identityBytes)
  partitionsOf = heap.alloc(all * 4)
  sortedEvents = heap.alloc(all * 4)
  slots = heap.alloc(<usize>slotsFor(eventsMax) * 4)
  keyHashes = heap.alloc(<usize>keysMax * 4)
}

/** How many slots a table of so many has: at least twice as many, and a power of two. */
function slotsFor(count: i32): u32 {
  let size: u32 = 16
  while (size < 2 * <u32>count) size *= 2
  return size
}

/** Frees the slots of a table of so many; answers how many slots it has. */
export function freeSlots(count: i32): u32 {
  const size = slotsFor(count)
  memory.fill(slots, 0, <usize>size * 4)
  return size
}

/** A word of ASCII: its length, and its bytes with room for a load of sixteen. */
export function wordOf(text: string): usize {
  const length = text.length
  const at = heap.alloc(4 + <usize>length + slack)
  store<u32>(at, length)
  for (let index = 0; index < length; index += 1) {
    store<u8>(at + 4 + <usize>index, text.charCodeAt(index))
  }
  return at
}

export function wordBytes(word: usize): usize {
  return load<u32>(word)
}

/** A hash of some bytes, in steps of eight. */
export function hashOf(from: usize, end: usize): u32 {
  let hash: u64 = end - from
  let at = from
  for (; at + 8 <= end; at += 8) hash = mixed(hash ^ load<u64>(at))
  const left = end - at
  if (left > 0) hash = mixed(hash ^ (load<u64>(at) & (((<u64>1) << ((<u64>left) << 3)) - 1)))
  return <u32>(hash ^ (hash >> 32))
}

function mixed(hash: u64): u64 {
  const product = hash * 0x9e3779b97f4a7c15
  return product ^ (product >> 29)
}

/** Whether two runs of bytes are the same. */
export function isSame(one: usize, other: usize, length: usize): bool {
  let at: usize = 0
  for (; at + 8 <= length; at += 8) if (load<u64>(one + at) !== load<u64>(other + at)) return false
  for (; at < length; at += 1) if (load<u8>(one + at) !== load<u8>(other + at)) return false
  return true
}
