import type { MeasuredSlice } from '../../parts/store/measuring.ts'
import type { MeasureGroup, MeasureResult } from '../../rules/meter/measure-types.ts'
import type { Part } from './commit-slice.ts'
import { verdict } from './first-of-id.ts'

/** How many events of a business and mode became usage. */
export interface BilledOf extends Pick<MeasureGroup, 'businessId' | 'mode'> {
  readonly events: number
}

/**
 * Whose the events are that a commit has turned into usage, each counted once however many meters
 * it matched. The same business may come several times.
 */
export function billedByScope(
  { events, groups, rows }: Pick<MeasureResult, 'events' | 'groups' | 'rows'>,
  parts: readonly Pick<Part, 'first'>[],
  slices: readonly Pick<MeasuredSlice, 'verdicts'>[],
): readonly BilledOf[] {
  const waits = new Uint8Array(events)
  for (const [index, { verdicts }] of slices.entries()) {
    const first = parts[index]?.first ?? 0
    for (const [event, one] of verdicts.entries()) {
      if (one === verdict.billed) waits[first + event] = 1
    }
  }
  const counts = new Uint32Array(groups.length)
  for (let row = 0; row < rows.count; row += 1) {
    const event = rows.event[row] ?? 0
    const group = rows.group[row] ?? 0
    if (waits[event] !== 1) continue
    waits[event] = 0
    counts[group] = (counts[group] ?? 0) + 1
  }
  return groups.flatMap(({ businessId, mode }, group) => {
    const of = counts[group] ?? 0
    return of === 0 ? [] : [{ businessId, mode, events: of }]
  })
}
