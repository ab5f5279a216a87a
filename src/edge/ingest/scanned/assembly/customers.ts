// The customers of a body, each once: there are fewer of them than events.
import { customerPart, end, from } from './found.ts'
import { freeSlots, hashOf, isSame, slots } from './memory.ts'

/** Writes where each of them stands, two words each, from `into` on; answers how many there are. */
export function distinctCustomers(count: i32, into: usize): i32 {
  const size = freeSlots(count)
  let found = 0
  for (let index = 0; index < count; index += 1) {
    const first = from(index, customerPart)
    const last = end(index, customerPart)
    let slot = hashOf(first, last) & (size - 1)
    for (;;) {
      const held = load<u32>(slots + <usize>slot * 4)
      if (held === 0) break
      const at = into + <usize>(held - 1) * 8
      const other = <usize>load<u32>(at)
      const length = <usize>load<u32>(at + 4) - other
      if (length === last - first && isSame(other, first, length)) break
      slot = (slot + 1) & (size - 1)
    }
    if (load<u32>(slots + <usize>slot * 4) !== 0) continue
    store<u32>(into + <usize>found * 8, <u32>first)
    store<u32>(into + <usize>found * 8 + 4, <u32>last)
    found += 1
    store<u32>(slots + <usize>slot * 4, found)
  }
  return found
}
