import assert from 'node:assert/strict'
import type { Offset } from '../../../event-log/port.ts'

/** How far a partition is marked, and the steps of marks that the asker has not heard of. */
export interface News {
  readonly filling: string
  /** The newest generation; null: nothing was ever marked. */
  readonly newest: number | null
  readonly synced: Offset
  /** The last step of a mark that is under way; 0: none is. */
  readonly step: number
  /** How many steps were ever told. */
  readonly told: number
  /** Ids in all generations. */
  readonly count: number
  readonly steps: readonly MarkStep[]
}

/** One step of a mark, as mark.lua tells it. */
export interface MarkStep {
  readonly start: Offset
  readonly end: Offset
  readonly step: number
  readonly isLast: boolean
  readonly generation: number
  /** Six bytes each: the third to the eighth of an id's twelve. */
  readonly ids: Uint8Array
}

/** How many steps to have heard of, for who wants to be told of none. */
export const unheard = Number.MAX_SAFE_INTEGER

/** What news.lua answers about one partition; null: nothing, where it holds another namespace. */
export function newsOf(reply: unknown): News | null {
  if (!Array.isArray(reply)) return null
  const [filling, newest, synced, open, told, count, ...steps] = reply.map((each) => {
    assert(each instanceof Buffer, 'news.lua answers texts.')
    return each
  })
  const newestText = textOf(newest)
  const openText = textOf(open)
  return {
    filling: textOf(filling),
    newest: newestText === '' ? null : Number(newestText),
    synced: Number(textOf(synced)),
    step: openText === '' ? 0 : Number(openText.slice(openText.indexOf(':') + 1)),
    told: Number(textOf(told)),
    count: Number(textOf(count)),
    steps: steps.map(stepOf),
  }
}

const textOf = (bytes: Buffer | undefined): string => bytes?.toString('latin1') ?? ''

const semicolon = 59

function stepOf(told: Buffer): MarkStep {
  const at = told.indexOf(semicolon)
  const [start = 0, end = 0, step = 0, last = 0, generation = 0] = told
    .toString('latin1', 0, at)
    .split(':')
    .map(Number)
  return { start, end, step, isLast: last === 1, generation, ids: told.subarray(at + 1) }
}
