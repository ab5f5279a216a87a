import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { Fingerprints, Known } from '../port.ts'

export const noneKnown = (ids: Fingerprints): Known => new Uint8Array(ids.length / fingerprintWords)

/** The ids at some places. */
export function idsAt(ids: Fingerprints, places: readonly number[]): Fingerprints {
  const some = new Uint32Array(places.length * fingerprintWords)
  for (const [index, place] of places.entries()) {
    const from = place * fingerprintWords
    some.set(ids.subarray(from, from + fingerprintWords), index * fingerprintWords)
  }
  return some
}

/** What is known of all ids, where it was found out about those at some places, and no other is. */
export function knownAt(ids: Fingerprints, places: readonly number[], found: Known): Known {
  const known = noneKnown(ids)
  for (const [index, place] of places.entries()) known[place] = found[index] ?? 0
  return known
}
