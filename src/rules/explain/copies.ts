import { verdicts } from '../archive/line.ts'
import type { EventPlace } from '../meter/place.ts'
import type { UsageEvent } from '../meter/usage-event.ts'
import { inMachineTime } from './clocks.ts'

/** One copy of a usage event that came into the log. */
export interface CopyOfEvent {
  readonly event: UsageEvent
  readonly place: EventPlace
  readonly stored: { readonly in: 'log' | 'archive'; readonly blockId: number | null }
  /** What measuring found; null: not measured yet. */
  readonly verdict: number | null
}

/** What measuring found out about a copy. */
export type Verdict = 'counted' | 'matched_nothing' | 'repeat' | 'waiting'

export interface JudgedCopy extends CopyOfEvent {
  readonly outcome: Verdict
  readonly sentence: string
}

/**
 * Says of each copy whether it counts, or which copy it repeats: the last one before it that is no
 * repeat. `copies` are in order of receipt. [guarantees#never-dropped-early, events#ids]
 */
export function judgedCopies(copies: readonly CopyOfEvent[]): readonly JudgedCopy[] {
  let first: CopyOfEvent | null = null
  return copies.map((copy) => {
    const outcome = verdictOf(copy)
    const sentence = sentenceOf(outcome, first)
    if (outcome === 'counted' || outcome === 'matched_nothing') first = copy
    return { ...copy, outcome, sentence }
  })
}

/**
 * The copy that an explanation is about: the newest that is no repeat, which is also the one that
 * `GET /events/{id}` reads.
 */
export const explainedCopy = (copies: readonly JudgedCopy[]): JudgedCopy | null =>
  copies.findLast(({ outcome }) => outcome === 'counted' || outcome === 'matched_nothing') ??
  copies.at(-1) ??
  null

function verdictOf({ verdict }: CopyOfEvent): Verdict {
  if (verdict === null) return 'waiting'
  if (verdict === verdicts.duplicate) return 'repeat'
  return verdict === verdicts.billed ? 'counted' : 'matched_nothing'
}

function sentenceOf(outcome: Verdict, first: CopyOfEvent | null): string {
  switch (outcome) {
    case 'waiting':
      return 'It is accepted and durable, and waits to be measured.'
    case 'repeat':
      return `It repeats ${first === null ? 'a copy that is no longer kept' : nameOf(first)}: it counts nothing, whatever it says.`
    case 'counted':
    case 'matched_nothing': {
      const again =
        first === null
          ? ''
          : ` The id was used before (${nameOf(first)}), outside the dedupe window.`
      return outcome === 'counted'
        ? `It is the first copy of its id, and it counted.${again}`
        : `It is the first copy of its id, but nothing that counts took it.${again}`
    }
  }
}

const nameOf = ({ place }: CopyOfEvent): string =>
  `the copy received at ${inMachineTime(place.receivedAt)}, partition ${place.partition}, offset ${place.offset}`
