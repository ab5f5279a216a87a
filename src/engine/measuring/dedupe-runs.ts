import type { Run } from '../../parts/dedupe/port.ts'
import type { StoredBatch } from '../../parts/store/measuring.ts'
import { unpackFingerprints } from '../../rules/archive/fingerprints.ts'
import { fingerprintBytes } from '../../std/fingerprint.ts'
import type { Duration } from '../../std/instant.ts'

/** The most fingerprints in one run: three quarters of a megabyte. */
const idsMax = 65_536

/**
 * Joins neighbouring batches into runs: a mark costs about the same however many ids it brings, and
 * a window may hold a million batches. A run has the latest running time of its batches; so it must
 * not span more than a little of the window, by which its ids are remembered longer.
 */
export async function* inDedupeRuns(
  batches: AsyncIterable<StoredBatch>,
  window: Duration,
): AsyncIterable<Run> {
  let parts: StoredBatch[] = []
  let bytes = 0
  for await (const batch of batches) {
    const [first, last] = [parts[0], parts.at(-1)]
    const joins =
      last?.end === batch.start &&
      bytes + batch.fingerprints.length <= idsMax * fingerprintBytes &&
      batch.ran - (first?.ran ?? batch.ran) <= window / 24
    if (!joins && parts.length > 0) {
      yield runOf(parts)
      parts = []
      bytes = 0
    }
    parts.push(batch)
    bytes += batch.fingerprints.length
  }
  if (parts.length > 0) yield runOf(parts)
}

function runOf(parts: readonly StoredBatch[]): Run {
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined) throw new Error('A run of no batches.')
  const ids = unpackFingerprints(Buffer.concat(parts.map(({ fingerprints }) => fingerprints)))
  return { start: first.start, end: last.end, ran: last.ran, ids }
}
