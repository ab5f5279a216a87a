import type { AccountCommand } from './change.ts'
import type { Decided } from './settle.ts'

/** Commands on one account as one command: each acts on what the one before it has left. */
export const commandsInTurn =
  (commands: readonly AccountCommand[]): AccountCommand =>
  (projected, view) => {
    let { account } = projected
    let lowFrom: Decided['lowFrom']
    const entries = commands.flatMap((command) => {
      const decided = command({ ...projected, account }, view)
      if (decided === null) return []
      account = decided.account
      lowFrom ??= decided.lowFrom
      return decided.entries
    })
    return { account, entries, ...(lowFrom === undefined ? {} : { lowFrom }) }
  }
