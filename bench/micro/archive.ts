import { createHash } from 'node:crypto'
import { blockEventsMax, blockOf } from '../../src/rules/archive/block.ts'
import { markBytes } from '../../src/rules/meter/route-mark.ts'
import { createFingerprinter } from '../../src/std/fingerprint.ts'
import type { Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import { eventsPerRecord, owner, recordsOf } from './records.ts'
import type { MicroSize } from './run.ts'
import { asChild, fastest } from './run.ts'

/**
 * What it costs the engine to make a block of the archive from measured records, before
 * compression.
 */
export function benchArchive(size: MicroSize): Result {
  const [count, rounds] =
    size === 'full' ? [Math.floor(blockEventsMax / eventsPerRecord), 100] : [2, 1]
  const fingerprinter = createFingerprinter(new Uint8Array(16))
  const ids = Array.from({ length: eventsPerRecord }, (_, index) => `evt_${index}`)
  const records = recordsOf(count).map((record) => ({
    ...record,
    verdicts: new Uint8Array(record.events),
    fingerprints: fingerprinter.fingerprints(owner.businessId, owner.mode, ids),
    routeMarks: new Uint8Array(record.events * markBytes),
    catalog: [],
  }))
  const { events, summaries } = blockOf(records, 0, count)
  const text = JSON.stringify(
    summaries.map((each) => ({ ...each, customers: [...each.customers] })),
  )
  const checksum = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const cost = fastest(rounds, events, () => void blockOf(records, 0, count))
  return {
    name: 'micro: archive',
    lines: [{ label: 'an event into a block', figures: [figure('time', cost, 'ns')] }],
    goals: [],
    checksum,
  }
}

await asChild(import.meta.url, benchArchive)
