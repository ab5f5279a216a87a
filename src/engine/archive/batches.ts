import type { Partition } from '../../parts/event-log/port.ts'
import type { BatchMerging } from '../../parts/store/batches.ts'
import { passing } from '../../runtime/moments.ts'
import type { Duration } from '../../std/instant.ts'

/** So many are looked up at a time: a first look may find two days of them. */
const runsMax = 50

/**
 * Dedupe heals from batches, and a busy partition leaves several a second: those older than its
 * newest generation (half a window) become one a minute. Each merge is one statement, so a crash
 * costs nothing. `goesOn` false ends it early.
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
      // Another process was there first: its result is looked at the next time.
      if (!(await merging.merge(run))) return
    }
    if (runs.length < runsMax) return
  }
}
