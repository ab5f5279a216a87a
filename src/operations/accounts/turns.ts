const last = new Map<string, Promise<unknown>>()

/**
 * Runs `work` when all earlier work of this process on any of `names` has ended. Saves lost races
 * on a busy account; safety is the version's, not this queue's.
 */
export function inTurn<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
  const before = names.map((name) => last.get(name) ?? Promise.resolve())
  const turn = Promise.allSettled(before).then(work)
  const ended = turn.then(noop, noop)
  for (const name of names) last.set(name, ended)
  void ended.then(() => {
    for (const name of names) if (last.get(name) === ended) last.delete(name)
  })
  return turn
}

const noop = (): undefined => undefined
