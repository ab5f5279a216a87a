import { parentPort, workerData } from 'node:worker_threads'
import { openLmdbLogGroup } from '../../../src/parts/event-log/lmdb/group.ts'
import { openLmdbLogReader } from '../../../src/parts/event-log/lmdb/reader.ts'
import type { SharedLog } from '../../../src/parts/event-log/lmdb/shared.ts'

/** A small engine thread: polls `count` records, trims what it has seen, and tells the sum. */
const { directory, shared, count } = workerData as {
  directory: string
  shared: SharedLog
  count: number
}
const group = await openLmdbLogGroup({
  directory,
  shared,
  handler: { taken: async () => 0, lost: () => undefined },
})
const reader = await openLmdbLogReader({ directory, shared })
const next = new Map<number, number>()
let [records, sum] = [0, 0]
while (records < count) {
  for (const slice of await group.poll(500_000, 10_000)) {
    for (const record of slice.records) {
      if (record.offset !== (next.get(slice.partition) ?? 0))
        throw new Error('A record is missing.')
      next.set(slice.partition, record.offset + 1)
      records += 1
      sum += record.value.length
    }
    await reader.trim(slice.partition, next.get(slice.partition) ?? 0)
  }
}
await reader.close()
await group.close()
parentPort?.postMessage({ records, sum })
