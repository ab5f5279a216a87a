import { limits } from '../../limits.ts'
import type { LogReader } from '../../parts/event-log/port.ts'
import type { Audit, AuditedBatch, AuditedCheckpoint } from '../../parts/store/audit.ts'
import { fingerprintBytes } from '../../std/fingerprint.ts'
import type { Duration } from '../../std/instant.ts'
import { countedTwice } from './counted-twice.ts'

/**
 * What does not add up in what was measured of a partition, in sentences without a subject. `log`
 * null: the log cannot be read from here, and is left out. [guarantees#checkpoints]
 */
export async function* partitionDifferences(
  audit: Audit,
  checkpoint: AuditedCheckpoint,
  { log, window }: { readonly log: LogReader | null; readonly window: Duration },
): AsyncIterable<string> {
  yield* totalsDifferences(checkpoint)
  yield* await batchDifferences(audit, checkpoint)
  yield* await countingDifferences(audit, checkpoint, window)
  yield* await archiveDifferences(audit, checkpoint)
  if (log !== null) yield* logDifferences(checkpoint, log)
}

function* totalsDifferences({ totals, eventsInQuarantine }: AuditedCheckpoint): Iterable<string> {
  const { events, billed, unmatched, duplicates, quarantined } = totals
  const told = billed + unmatched + duplicates + quarantined
  if (events !== told) {
    yield `${events} events were read, but ${billed} billed + ${unmatched} unmatched + ` +
      `${duplicates} duplicates + ${quarantined} quarantined is ${told}`
  }
  if (quarantined !== eventsInQuarantine) {
    yield `${quarantined} events were quarantined, but the quarantine holds ${eventsInQuarantine}`
  }
}

// Old batches are merged while this looks at them, so one look may see both of them or neither. A
// real difference shows at every look.
const looksMax = 3

async function batchDifferences(
  audit: Audit,
  checkpoint: AuditedCheckpoint,
): Promise<readonly string[]> {
  for (let look = 1; ; look += 1) {
    const differences: string[] = []
    const batches = audit.batches(checkpoint.partition, checkpoint.nextOffset)
    for await (const one of differencesIn(checkpoint, batches)) differences.push(one)
    if (differences.length === 0 || look === looksMax) return differences
  }
}

/** As above: while batches are merged their ids may be seen twice. */
async function countingDifferences(
  audit: Audit,
  { partition, nextOffset }: AuditedCheckpoint,
  window: Duration,
): Promise<readonly string[]> {
  for (let look = 1; ; look += 1) {
    const twice = await countedTwice(audit.countings(partition, nextOffset), { window })
    if (twice === null) return []
    if (look < looksMax) continue
    const [first, second] = twice.first
    return [
      `${twice.ids} ids were counted again within the dedupe window, ` +
        `the first in the batches from ${first} and from ${second} on`,
    ]
  }
}

/** As above: days of blocks and of what lists them are dropped one after the other. */
async function archiveDifferences(
  audit: Audit,
  { partition }: AuditedCheckpoint,
): Promise<readonly string[]> {
  for (let look = 1; ; look += 1) {
    const differences = await audit.bentArchive(partition)
    if (differences.length === 0 || look === looksMax) return differences
  }
}

async function* differencesIn(
  { nextOffset, totals }: AuditedCheckpoint,
  batches: AsyncIterable<AuditedBatch>,
): AsyncIterable<string> {
  const counts = [0, 0, 0]
  let first: AuditedBatch | null = null
  let last: AuditedBatch | null = null
  let whole = true
  for await (const batch of batches) {
    first ??= batch
    const end = last?.end ?? 0
    if (batch.start < end) yield `the batches up to ${end} and from ${batch.start} on overlap`
    if (batch.start > end) {
      whole = false
      // Near the oldest batch holes are normal.
      if (last !== null && batch.logAt > first.logAt + limits.dropMargin) {
        yield `there is no batch from ${end} to ${batch.start}`
      }
    }
    if (batch.end <= batch.start) yield `the batch from ${batch.start} on ends at ${batch.end}`
    if (batch.fingerprintBytes !== batch.verdicts.length * fingerprintBytes) {
      yield `the batch from ${batch.start} on has ${batch.fingerprintBytes} bytes of fingerprints ` +
        `for ${batch.verdicts.length} verdicts`
    }
    for (const verdict of batch.verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1
    last = batch
  }
  if (last !== null && last.end !== nextOffset) {
    yield `the batches end at ${last.end}, but the checkpoint is at ${nextOffset}`
  }
  if (last !== null) yield* countDifferences(totals, counts, whole)
}

/** Exact while every batch is kept; later the kept ones are only a part of the totals. */
function* countDifferences(
  { billed, unmatched, duplicates }: AuditedCheckpoint['totals'],
  counts: readonly number[],
  whole: boolean,
): Iterable<string> {
  const compared = [
    ['billed', billed, counts[0] ?? 0],
    ['unmatched', unmatched, counts[1] ?? 0],
    ['duplicates', duplicates, counts[2] ?? 0],
  ] as const
  for (const [what, total, kept] of compared) {
    if (whole ? kept !== total : kept > total) {
      yield `its totals say ${total} ${what}, but the verdicts of its batches say ${kept}`
    }
  }
  if (counts.length > 3) yield 'a verdict is none of billed, unmatched and duplicate'
}

async function* logDifferences(
  { partition, nextOffset, logIdentity }: AuditedCheckpoint,
  log: LogReader,
): AsyncIterable<string> {
  if (log.identity !== logIdentity) {
    yield `it was measured from the log ${logIdentity}, but the log is ${log.identity}`
    return
  }
  const { first, end } = await log.bounds(partition)
  if (nextOffset > end) yield `its checkpoint is at ${nextOffset}, but the log ends at ${end}`
  if (nextOffset < first) {
    yield `its checkpoint is at ${nextOffset}, but the log begins at ${first}: records are gone unmeasured`
  }
}
