import { writeSync } from 'node:fs'
import { openLmdbEventLog } from '../../../src/parts/event-log/lmdb/event-log.ts'
import { createSharedLog } from '../../../src/parts/event-log/lmdb/shared.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { quiet } from '../runtime/logger.ts'
import { recordOf } from './records.ts'

/**
 * Appends as fast as it can until it is killed or cannot go on. Prints `seed offset` for a record
 * only once that is acknowledged.
 *
 *   node test/support/event-log/log-child.js DIRECTORY PARTITIONS FIRST_SEED [SEED_STEP]
 */
const [directory = '', partitionsText = '', firstSeed = '', step = '1'] = process.argv.slice(2)
const partitions = Number(partitionsText)
const log = await openLmdbEventLog({
  directory,
  partitions,
  shared: createSharedLog(partitions),
  budgetBytes: 1e9,
  diskReserveBytes: 0,
  clock: systemClock(),
  logger: quiet,
})
let seed = Number(firstSeed)
await Promise.all(Array.from({ length: 8 }, appendForever))

async function appendForever(): Promise<void> {
  for (;;) {
    const seeds = Array.from({ length: 1 + (seed % 5) }, (_, index) => seed + index * Number(step))
    seed += seeds.length * Number(step)
    try {
      const offsets = await log.append(seeds.map((one) => recordOf(one, partitions)))
      writeSync(1, seeds.map((one, index) => `${one} ${offsets[index]}\n`).join(''))
    } catch (error) {
      const { code } = error as { code?: string }
      writeSync(1, `refused ${code}\n`)
      return
    }
  }
}
