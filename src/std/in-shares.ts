/** How much may be taken of one source now. */
export interface ShareRoom {
  readonly share: number
  /** A single item that is larger than the share is taken if it fits into this. */
  readonly left: number
  /** One item is taken in any case: or else one that is larger than all could never be. */
  readonly atLeastOne: boolean
}

/**
 * Takes items of several sources, up to `most` by their sizes. Each source may give an equal part,
 * and what some do not need goes to those that have more: whatever fits is taken, however uneven.
 *
 * @param take Takes the next items of a source, and answers them.
 * @returns The sources of which something was taken, with it.
 */
export function inShares<Source, Item>(
  sources: readonly Source[],
  most: number,
  {
    take,
    sizeOf,
  }: {
    readonly take: (source: Source, room: ShareRoom) => readonly Item[]
    readonly sizeOf: (item: Item) => number
  },
): ReadonlyMap<Source, readonly Item[]> {
  const taken = new Map<Source, Item[]>()
  let left = most
  for (const [index, source] of sources.entries()) {
    add(source, Math.floor(left / (sources.length - index)))
  }
  for (const source of sources) if (left > 0) add(source, left)
  return taken

  function add(source: Source, share: number): void {
    const items = take(source, { share, left, atLeastOne: taken.size === 0 })
    if (items.length === 0) return
    for (const item of items) left -= sizeOf(item)
    const before = taken.get(source)
    if (before === undefined) taken.set(source, [...items])
    else before.push(...items)
  }
}
