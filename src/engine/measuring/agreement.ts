import { createHash } from 'node:crypto'
import type { LogReader, LogRecord, Partition } from '../../parts/event-log/port.ts'
import type { Checkpoint } from '../../parts/store/measuring.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Duration } from '../../std/instant.ts'
import { second } from '../../std/instant.ts'

/** The log lacks what was measured, but perhaps only does not know it yet. */
export const doubt = Symbol('doubt')

/**
 * Whether a checkpoint and the log still belong together. They may not: the log may have been made
 * anew or lost its tail, or the database may be another copy. Never guesses. [machines#measuring]
 */
export interface Agreement {
  /**
   * Null: they belong together; a text: the partition must be halted for this reason; `doubt`: ask
   * again.
   */
  judged(checkpoint: Checkpoint): Promise<string | null | typeof doubt>
}

export interface AgreementNeeds {
  readonly reader: LogReader
  /** Time since an unknown moment; nobody can set it. */
  readonly monotonic: () => Duration
  readonly logger: Logger
}

export function agreement({ reader, monotonic, logger }: AgreementNeeds): Agreement {
  const lacking = new Map<Partition, { readonly at: Duration; readonly lasted: Duration }>()
  return { judged }

  async function judged(checkpoint: Checkpoint): Promise<string | null | typeof doubt> {
    const { partition, halted } = checkpoint
    const found = await contradiction(checkpoint)
    // Not for a halted partition: it was waited for already, and doubting it again would keep all
    // others waiting.
    if (found?.missing === true && halted === null && mayPass(partition)) {
      logger.warn({ partition, reason: found.reason }, 'the log lacks what was measured, or lags')
      return doubt
    }
    lacking.delete(partition)
    return found?.reason ?? null
  }

  /**
   * False once the log has answered like this for longer than it can lag: then the records are
   * lost.
   */
  function mayPass(partition: Partition): boolean {
    const at = monotonic()
    const before = lacking.get(partition)
    const since = before === undefined ? 0 : at - before.at
    const lasted = (before?.lasted ?? 0) + Math.min(since, betweenMax)
    lacking.set(partition, { at, lasted })
    return lasted < reader.lagMax
  }

  async function contradiction(checkpoint: Checkpoint): Promise<Contradiction | null> {
    const { partition, nextOffset, digest } = checkpoint
    if (checkpoint.logIdentity !== reader.identity) {
      return differs(
        'the event log is not the one measured: put the log and the database of one backup together',
      )
    }
    const { first, end } = await reader.bounds(partition)
    if (end < nextOffset) {
      return lacks(
        `the log ends at ${end}, before the checkpoint ${nextOffset}: it is an older copy than the database; restore both from one backup`,
      )
    }
    if (first > nextOffset) {
      return differs(
        `the log begins at ${first}, after the checkpoint ${nextOffset}: the database is an older copy, and what came in between is not kept any more; restore a newer copy of the database`,
      )
    }
    if (nextOffset === 0 || first >= nextOffset || digest === null) return null
    const [record] = await reader.read(partition, nextOffset - 1, 1)
    if (record?.offset === nextOffset - 1 && sameBytes(digestOf(record), digest)) return null
    // Trimmed between the two questions: what is measured and archived may go at any time.
    if ((await reader.bounds(partition)).first >= nextOffset) return null
    const reason = `record ${nextOffset - 1} is not the one that was measured: log and database went different ways; restore both from one backup`
    return record === undefined ? lacks(reason) : differs(reason)
  }
}

/** The most that counts of the time between two answers, in which the log may have been away. */
const betweenMax = 5 * second

/**
 * Why log and checkpoint do not fit together. `missing`: the log does not have the record, or not
 * yet.
 */
interface Contradiction {
  readonly reason: string
  readonly missing: boolean
}

const differs = (reason: string): Contradiction => ({ reason, missing: false })
const lacks = (reason: string): Contradiction => ({ reason, missing: true })

/** Ties an offset to the record that was measured there. */
export function digestOf(record: LogRecord): Uint8Array {
  return createHash('sha256')
    .update(`${record.offset} ${record.at} ${record.events} `)
    .update(record.value)
    .digest()
    .subarray(0, 16)
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
