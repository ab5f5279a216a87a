import type { Instant } from '../../std/instant.ts'
import { parseInstant } from '../../std/instant.ts'
import { storable } from '../../std/text.ts'
import type { Mode } from '../meter/meter.ts'
import { bloomOf, wordsOf } from './bloom.ts'
import { headReader } from './head.ts'
import { sortableTimestamp, verdicts } from './line.ts'

/** What a block holds of one business and mode: enough to leave the block alone. */
export interface BlockSummary {
  readonly businessId: string
  readonly mode: Mode
  /** Of the events' own timestamps. */
  readonly firstAt: Instant
  readonly lastAt: Instant
  readonly events: number
  /** A Bloom filter over the customers' ids (`wordsOf`). */
  readonly customers: Uint8Array
  /** Distinct event names, as far as text columns hold them: what two names then share costs a look
   * into a block, no more. Empty when there are too many to list. */
  readonly names: readonly string[]
}

const namesMax = 64

/** One summary a business and mode, over the events that may be shown: duplicates never are. */
export function summariesOf(
  lines: readonly string[],
  verdictOf: Uint8Array,
): readonly BlockSummary[] {
  const drafts = new Map<string, Draft>()
  const headOf = headReader()
  let draft: Draft | undefined
  lines.forEach((text, index) => {
    if (verdictOf[index] === verdicts.duplicate) return
    const head = headOf(text)
    const at = sortableTimestamp(head.timestamp)
    // Lines of one business mostly follow each other: a key for each would cost as much again.
    if (draft?.businessId !== head.businessId || draft.mode !== head.mode) {
      const key = `${head.mode}/${head.businessId}`
      draft = drafts.get(key) ?? begun(drafts, key, head.businessId, head.mode, at)
    }
    if (at < draft.first) draft.first = at
    if (at > draft.last) draft.last = at
    draft.events += 1
    draft.customers.add(head.customerId)
    if (draft.names.size <= namesMax) draft.names.add(head.eventName)
  })
  return [...drafts.values()].map(finished)
}

interface Draft {
  readonly businessId: string
  readonly mode: Mode
  first: string
  last: string
  events: number
  readonly customers: Set<string>
  readonly names: Set<string>
}

function begun(
  drafts: Map<string, Draft>,
  key: string,
  ...[businessId, mode, at]: readonly [string, Mode, string]
): Draft {
  const draft: Draft = {
    businessId,
    mode,
    first: at,
    last: at,
    events: 0,
    customers: new Set(),
    names: new Set(),
  }
  drafts.set(key, draft)
  return draft
}

function finished(draft: Draft): BlockSummary {
  const words = new Uint32Array(draft.customers.size * 2)
  let next = 0
  for (const customer of draft.customers) {
    words.set(wordsOf(customer), next)
    next += 2
  }
  return {
    businessId: draft.businessId,
    mode: draft.mode,
    firstAt: instantIn(draft.first),
    lastAt: instantIn(draft.last),
    events: draft.events,
    customers: bloomOf(words),
    names: draft.names.size > namesMax ? [] : [...new Set([...draft.names].map(storable))],
  }
}

function instantIn(text: string): Instant {
  const at = parseInstant(text)
  if (at === null) throw new Error('An event of the log has a timestamp that cannot be read.')
  return at
}
