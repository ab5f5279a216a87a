/** Distinct keys of two 32-bit words, in the order in which they first came. */
export interface WordSet {
  add(hi: number, lo: number): void
  /** [hi0, lo0, hi1, lo1, …] */
  words(): Uint32Array
}

const slotsMin = 64

/**
 * A hash table without an object for each key: a block has thousands of events and few customers.
 */
export function wordSet(): WordSet {
  let kept = new Uint32Array(slotsMin)
  let count = 0
  // The position of a key's words in `kept`, plus 1; 0 is an empty slot.
  let slots = new Uint32Array(slotsMin)
  return { add, words: () => kept.slice(0, count * 2) }

  function add(hi: number, lo: number): void {
    const mask = slots.length - 1
    let slot = (hi ^ lo) & mask
    for (let at = slots[slot] ?? 0; at !== 0; at = slots[slot] ?? 0) {
      if (kept[at - 1] === hi && kept[at] === lo) return
      slot = (slot + 1) & mask
    }
    kept[count * 2] = hi
    kept[count * 2 + 1] = lo
    slots[slot] = count * 2 + 1
    count += 1
    if (count * 2 === kept.length) grow()
  }

  /** Grows so that at most half of the slots are taken. */
  function grow(): void {
    const before = kept
    kept = new Uint32Array(before.length * 2)
    kept.set(before)
    slots = new Uint32Array(before.length * 2)
    const mask = slots.length - 1
    for (let at = 0; at < count * 2; at += 2) {
      let slot = ((kept[at] ?? 0) ^ (kept[at + 1] ?? 0)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = at + 1
    }
  }
}
