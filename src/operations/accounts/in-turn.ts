/** Runs work on the same names in turn. */
export type InTurn = <T>(names: readonly string[], work: () => Promise<T>) => Promise<T>

/**
 * Runs `work` when all earlier work on any of `names` has ended. This only saves lost races on a
 * busy account; what keeps it safe is the account's version.
 */
export function openInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (names, work) => {
    const before = names.map((name) => last.get(name) ?? Promise.resolve())
    const turn = Promise.allSettled(before).then(work)
    const ended = turn.then(noop, noop)
    for (const name of names) last.set(name, ended)
    void ended.then(() => {
      for (const name of names) if (last.get(name) === ended) last.delete(name)
    })
    return turn
  }
}

const noop = (): undefined => undefined

/** The turns of this process. */
export const inTurn: InTurn = openInTurn()
