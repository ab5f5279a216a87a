import type { Partition } from '../../parts/event-log/port.ts'
import type { BatchMerging } from '../../parts/store/batches.ts'
import { passing } from '../../runtime/moments.ts'
import type { Duration } from '../../std/instant.ts'

/** How many runs are looked up at a time; a first look may find two days of them. */
const runsMax = 50

/**
 * Merges batches, which a busy partition leaves several of each second and from which dedupe heals:
 * those older than dedupe's newest generation (half a window) become one a minute. Each merge is
 * one statement, so a crash costs nothing. Ends early when `goesOn` is false.
 */
export async function mergeBatches(
  merging: BatchMerging,
  partition: Partition,
  { dedupeWindow, goesOn }: { readonly dedupeWindow: Duration; goesOn(): boolean },
): Promise<void> {
  while (goesOn()) {
    const runs = await merging.mergeable(partition, Math.ceil(dedupeWindow / 2), runsMax)
    for (const run of runs) {
      if (!goesOn()) return
      passing('merging')
      // Another process was first: the next look finds its result.
      if (!(await merging.merge(run))) return
    }
    if (runs.length < runsMax) return
  }
}
