export interface Sharer {
  readonly member: string
  /** The partitions that this member holds already. */
  readonly held: readonly number[]
}

/**
 * Decides which member gets which partitions: as equally as possible, and with as few moves as that
 * allows, since a partition that moves has to be opened anew. The order of the members makes no
 * difference.
 */
export function sharePartitions(
  sharers: readonly Sharer[],
  partitions: number,
): ReadonlyMap<string, readonly number[]> {
  const free = new Set(Array.from({ length: partitions }, (_, index) => index))
  // The members that hold most come first, so that the larger shares stay where they are.
  const ordered = [...sharers].sort(
    (a, b) => b.held.length - a.held.length || (a.member < b.member ? -1 : 1),
  )
  const least = Math.floor(partitions / sharers.length)
  const larger = partitions % sharers.length
  const shares = ordered.map(({ member, held }, index) => {
    const size = least + (index < larger ? 1 : 0)
    const kept = [...new Set(held)].filter((one) => free.has(one)).slice(0, size)
    for (const one of kept) free.delete(one)
    return { member, size, kept }
  })
  const left = [...free]
  return new Map(
    shares.map(({ member, size, kept }) => [
      member,
      [...kept, ...left.splice(0, size - kept.length)].sort((a, b) => a - b),
    ]),
  )
}
