import type { Bits } from '../../../../std/bits.ts'
import { addTo, mayHold, wordsFor } from '../../../../std/bits.ts'

/** The memory in bytes that all sieves of a process have left. */
export interface SieveRoom {
  left: number
}

/** The memory in bytes of all that sift in one thread. */
const bytesMax = 128 * 1_024 * 1_024

export const roomOfProcess = (): SieveRoom => ({ left: bytesMax })

/** Of more ids, a quarter of what each should have, too many would be doubted. */
export const idsMax = bytesMax * 2

/** The ids of one generation. */
export interface Layers {
  add(low: number, rest: number): void
  /** False: surely never added. */
  mayHold(low: number, rest: number): boolean
  /** Gives its room back. */
  drop(): void
}

const idsMin = 4_096

const bitsFor = (ids: number): Bits => new Uint32Array(wordsFor(ids, 16))

/**
 * Grows by layers, each for twice as many ids as the one before, since bits cannot be moved; the
 * first is for `expected` ids. Without room, the last layer takes more than it was made for and
 * takes more and more strangers for its own: that costs questions, never an id.
 */
export function openLayers(expected: number, room: SieveRoom): Layers {
  const layers: Bits[] = []
  let newest: Bits = bitsFor(1)
  let [taken, free, ids] = [0, 0, Math.max(idsMin, expected)]
  return { add, mayHold: held, drop }

  function add(low: number, rest: number): void {
    if (free === 0) grow()
    free -= 1
    addTo(newest, low, rest)
  }

  function grow(): void {
    const next = bitsFor(ids)
    const isFirst = layers.length === 0
    // Without a layer it could not say anything, so the first one comes all the same.
    if (!isFirst && next.byteLength > room.left) {
      free = Number.POSITIVE_INFINITY
      return
    }
    room.left -= next.byteLength
    taken += next.byteLength
    newest = next
    layers.push(newest)
    free = ids
    ids *= 2
  }

  function held(low: number, rest: number): boolean {
    for (const bits of layers) if (mayHold(bits, low, rest)) return true
    return false
  }

  function drop(): void {
    room.left += taken
    taken = 0
    layers.length = 0
    free = 0
  }
}
