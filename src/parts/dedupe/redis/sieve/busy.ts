/** Whether questions come so often that it pays to know the answers without Redis. */
export interface Busy {
  /** Counts a question, and answers whether they are frequent. */
  asked(now: number): boolean
  /** Whether they were, a moment ago. */
  isSo(now: number): boolean
}

/** For how long questions count as frequent once they were. */
const lastsMs = 10_000

/**
 * A bucket that leaks `perSecond` questions a second, and is full with half a second's. Times are
 * monotonic, in ms.
 */
export function openBusy(perSecond: number): Busy {
  const fullAt = perSecond / 2
  let [level, countedAt, fullUntil] = [0, 0, Number.NEGATIVE_INFINITY]
  return { asked, isSo }

  function asked(now: number): boolean {
    level = Math.max(0, level - ((now - countedAt) * perSecond) / 1_000) + 1
    countedAt = now
    if (level > fullAt) {
      level = fullAt
      fullUntil = now + lastsMs
    }
    return now < fullUntil
  }

  function isSo(now: number): boolean {
    return now < fullUntil
  }
}
