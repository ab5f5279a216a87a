import { writeSync } from 'node:fs'
import { openEmbeddedDedupe } from '../../../src/parts/dedupe/embedded/dedupe.ts'
import { hour } from '../../../src/std/instant.ts'
import { runIds } from './runs.ts'

/**
 * Marks run after run in every partition, each run a little later, until it is killed. Prints
 * `partition end` for each run that is marked.
 *
 *   node test/support/dedupe/dedupe-child.js DIRECTORY
 */
const [directory = ''] = process.argv.slice(2)
const dedupe = await openEmbeddedDedupe({
  directory,
  partitions: 2,
  windowUs: 24 * hour,
  port: { postMessage: () => undefined },
})
await Promise.all([0, 1].map(markForever))

async function markForever(partition: number): Promise<void> {
  const checked = await dedupe.check(partition, 'a', Number.MAX_SAFE_INTEGER, new Uint32Array())
  let synced = checked.kind === 'stale' ? checked.synced : null
  if (synced === null) await dedupe.reset(partition, 'a', 0)
  for (synced ??= 0; ; synced += 1) {
    const ran = synced * hour * 0.01
    const ids = runIds(partition, synced)
    if (!(await dedupe.mark(partition, 'a', { start: synced, end: synced + 1, ran, ids }))) return
    writeSync(1, `${partition} ${synced + 1}\n`)
  }
}
