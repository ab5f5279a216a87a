export interface Due {
  readonly at: number
  /** Among those of one moment, the order in which they were added. */
  readonly number: number
}

/** What is to happen, earliest first: a binary heap. */
export function dueQueue<T extends Due>() {
  const heap: T[] = []
  return { add, next, size: () => heap.length }

  function add(item: T): void {
    let at = heap.length
    heap.push(item)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !before(item, parent)) break
      heap[at] = parent
      at = above
    }
    heap[at] = item
  }

  function next(): T | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      const child = smallerChild(at)
      const below = heap[child]
      if (below === undefined || !before(below, last)) break
      heap[at] = below
      at = child
    }
    heap[at] = last
    return first
  }

  function smallerChild(at: number): number {
    const [left, right] = [heap[at * 2 + 1], heap[at * 2 + 2]]
    return left !== undefined && right !== undefined && before(right, left)
      ? at * 2 + 2
      : at * 2 + 1
  }
}

const before = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.number < b.number)
