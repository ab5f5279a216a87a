import { mergeFolds } from '../../../src/rules/meter/fold.ts'
import type { UsageDelta } from '../../../src/rules/meter/usage-delta.ts'
import { compareUsage } from '../../../src/rules/meter/usage-delta.ts'

/** Merges the deltas of several results as the store does with its rows: one per row, in order. */
export function mergeUsage(lists: readonly (readonly UsageDelta[])[]): readonly UsageDelta[] {
  const merged: UsageDelta[] = []
  for (const delta of lists.flat().toSorted(compareUsage)) {
    const last = merged.at(-1)
    if (last !== undefined && compareUsage(last, delta) === 0)
      merged[merged.length - 1] = { ...last, fold: mergeFolds(last.fold, delta.fold) }
    else merged.push(delta)
  }
  return merged
}
