import { limits } from '../../../limits.ts'
import type { FoundEvents } from './found.ts'
import { identityWords } from './found.ts'

/** At least twice the events of a request, and a power of two. */
const slotsMax = 2_048

/**
 * Says whether two events have one identity. Equal ids do, whatever else does: so a request in
 * which none is repeated has no two equal ids.
 */
export function repeats(): (found: FoundEvents) => boolean {
  if (slotsMax < 2 * limits.eventsPerRequestMax) throw new Error('A request has too many events.')
  /** Places of events, one above; 0: the slot is free. */
  const slots = new Uint16Array(slotsMax)
  return isRepeated

  function isRepeated({ count, identities }: FoundEvents): boolean {
    if (count === 1) return false
    let size = 16
    while (size < 2 * count) size *= 2
    slots.fill(0, 0, size)
    for (let index = 0; index < count; index += 1) {
      let slot = (identities[index * identityWords] as number) & (size - 1)
      for (;;) {
        const held = slots[slot] as number
        if (held === 0) break
        if (isSame(identities, index, held - 1)) return true
        slot = (slot + 1) & (size - 1)
      }
      slots[slot] = index + 1
    }
    return false
  }
}

function isSame(identities: Uint32Array, one: number, other: number): boolean {
  for (let word = 0; word < identityWords; word += 1) {
    if (identities[one * identityWords + word] !== identities[other * identityWords + word]) {
      return false
    }
  }
  return true
}
