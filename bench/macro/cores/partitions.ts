import { startParts } from '../../harness/parts.ts'
import type { Line } from '../../harness/result.ts'
import { openSite } from '../../harness/site.ts'
import type { Run } from '../../harness/sizes.ts'
import { benchEndToEnd } from '../end-to-end.ts'
import type { Axis } from './engines.ts'

/** An installation for each number of partitions of the log, from accepted to settled. */
export async function byPartitions(run: Run, { counts, events }: Axis): Promise<readonly Line[]> {
  const lines: Line[] = []
  for (const count of counts) {
    const parts = await startParts(run)
    await parts.createTopic('usage.events', count)
    const site = await openSite({ ...run, parts })
    const { result } = await benchEndToEnd(site, { ...run, endToEndEvents: events })
    const figures = result.lines.flatMap((line) => line.figures)
    lines.push({ label: `${count} partitions`, figures })
    await site.stop()
    await parts.stop()
  }
  return lines
}
