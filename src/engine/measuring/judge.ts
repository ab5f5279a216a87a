/** What became of an event, a byte each in `batches`. */
export const verdict = { billed: 0, unmatched: 1, duplicate: 2 } as const

/**
 * Which events are the first of their id: neither known from before nor a repeat of one earlier in
 * the same slice (an id's copies are all in one partition). 1: first, 0: repeat. `areOne` says
 * whether two with one fingerprint have one id.
 */
export function firsts(fingerprints: Uint32Array, known: Uint8Array, areOne: AreOne): Uint8Array {
  const count = known.length
  const fresh = new Uint8Array(count)
  const size = tableSize(count)
  const slots = new Int32Array(size).fill(-1)
  for (let event = 0; event < count; event += 1) {
    if (known[event] === 1) continue
    if (claim(slots, event, { fingerprints, areOne })) fresh[event] = 1
  }
  return fresh
}

type AreOne = (event: number, other: number) => boolean

interface Events {
  readonly fingerprints: Uint32Array
  readonly areOne: AreOne
}

/** Open addressing over event numbers, at most half full. */
function claim(slots: Int32Array, event: number, { fingerprints, areOne }: Events): boolean {
  const mask = slots.length - 1
  const hi = fingerprints[event * 2]
  const lo = fingerprints[event * 2 + 1] ?? 0
  for (let slot = lo & mask; ; slot = (slot + 1) & mask) {
    const other = slots[slot] ?? -1
    if (other < 0) {
      slots[slot] = event
      return true
    }
    const isLike = fingerprints[other * 2] === hi && fingerprints[other * 2 + 1] === lo
    if (isLike && areOne(other, event)) return false
  }
}

function tableSize(count: number): number {
  let size = 16
  while (size < count * 2) size *= 2
  return size
}

/** Fingerprints as they lie in `batches`: 8 bytes an event, hi then lo, big-endian. */
export function packed(fingerprints: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(fingerprints.length * 4)
  const view = new DataView(bytes.buffer)
  for (let word = 0; word < fingerprints.length; word += 1) {
    view.setUint32(word * 4, fingerprints[word] ?? 0)
  }
  return bytes
}

export function unpacked(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words = new Uint32Array(bytes.byteLength / 4)
  for (let word = 0; word < words.length; word += 1) words[word] = view.getUint32(word * 4)
  return words
}

/** The fingerprints of the events that `keep` marks. */
export function selected(fingerprints: Uint32Array, keep: Uint8Array): Uint32Array {
  const words = new Uint32Array(fingerprints.length)
  let count = 0
  for (let event = 0; event < keep.length; event += 1) {
    if (keep[event] !== 1) continue
    words[count] = fingerprints[event * 2] ?? 0
    words[count + 1] = fingerprints[event * 2 + 1] ?? 0
    count += 2
  }
  return words.slice(0, count)
}
