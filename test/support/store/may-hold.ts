/** Asks a Bloom filter as the store's SQL does. False: the key is certainly not in it. */
export function mayHold(filter: Uint8Array, probes: readonly number[]): boolean {
  const bits = filter.length * 8
  return probes.every((probe) => {
    const bit = probe % bits
    return ((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0
  })
}
