import type { StreamedMessage } from '../../parts/store/webhook-streams.ts'
import { streamLimits } from './stream-limits.ts'

/** The newest messages of one stream, as far as there is room for them: whole, and in a row. */
export interface NewestMessages {
  /**
   * Those behind `number`, where `last` is the end of the stream; loads the next ones if it has
   * come that far, once for all who ask. Null: it has others.
   */
  behind(number: number, last: number): Promise<readonly StreamedMessage[] | null>
}

export function newestMessages(
  load: (number: number, limit: number) => Promise<readonly StreamedMessage[]>,
): NewestMessages {
  let held: StreamedMessage[] = []
  let characters = 0
  let loading: { readonly from: number; readonly done: Promise<void> } | null = null
  return { behind }

  async function behind(number: number, last: number): Promise<readonly StreamedMessage[] | null> {
    const here = heldBehind(number)
    if (here !== null) return here
    const end = held.at(-1)?.number
    // A reader that is far behind reads for itself, and leaves what others share.
    if (number !== end && last - number > streamLimits.pageMax) return null
    if (loading === null) {
      const done = loadBehind(number).finally(() => {
        loading = null
      })
      loading = { from: number, done }
    } else if (loading.from !== number) return null
    await loading.done
    return heldBehind(number)
  }

  function heldBehind(number: number): readonly StreamedMessage[] | null {
    const [first] = held
    const last = held.at(-1)
    if (first === undefined || last === undefined) return null
    if (number + 1 < first.number || number >= last.number) return null
    const from = number + 1 - first.number
    return held.slice(from, from + streamLimits.pageMax)
  }

  async function loadBehind(number: number): Promise<void> {
    const found = await load(number, streamLimits.pageMax)
    const row = found.filter((message, index) => message.number === number + index + 1)
    if (held.at(-1)?.number !== number) clear()
    held.push(...row)
    characters += row.reduce((sum, message) => sum + lengthOf(message), 0)
    trim()
  }

  function trim(): void {
    let gone = 0
    for (const message of held) {
      const left = held.length - gone
      const fits = left <= streamLimits.newestMax && characters <= streamLimits.newestCharactersMax
      if (fits || left === 1) break
      characters -= lengthOf(message)
      gone += 1
    }
    if (gone > 0) held = held.slice(gone)
  }

  function clear(): void {
    held = []
    characters = 0
  }
}

const lengthOf = ({ body }: StreamedMessage): number => body?.length ?? 0
