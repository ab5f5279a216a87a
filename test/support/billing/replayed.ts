import assert from 'node:assert/strict'
import type { Replay, ReplayedEntry } from '../../../src/rules/accounts/replay.ts'
import { replayEntry } from '../../../src/rules/accounts/replay.ts'

/**
 * Replays entries that a rule has just made. Where they do not follow from each other, the rule is
 * wrong.
 */
export function replayed(books: Replay, entries: readonly ReplayedEntry[]): Replay {
  return entries.reduce((sofar, entry) => {
    const next = replayEntry(sofar, entry)
    assert(typeof next !== 'string', String(next))
    return next
  }, books)
}
