import { createHash } from 'node:crypto'
import type { LogRecord } from '../../../src/parts/event-log/port.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { timestamptz } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { packFingerprints } from '../../../src/rules/archive/fingerprints.ts'
import type { LogLine } from '../../../src/rules/meter/usage-event.ts'
import type { Fingerprint, Identity } from '../../../src/std/fingerprint.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { instantOf } from '../../../src/std/instant.ts'
import { memoryLog } from '../event-log/memory-log.ts'

/**
 * A hash of an identity that needs no key: the real one would do as well, and is slower to set up.
 */
export function testIdentity(...identity: readonly string[]): Identity {
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest()
  const [hi, lo, rest, place] = [0, 4, 8, 12].map((at) => digest.readUInt32BE(at))
  return [hi ?? 0, lo ?? 0, rest ?? 0, place ?? 0]
}

export function testFingerprint(...identity: readonly string[]): Fingerprint {
  const [hi, lo, rest] = testIdentity(...identity)
  return [hi, lo, rest]
}

export const testPartitionOf = (place: number, partitions: number): number => place % partitions

/** The partition that a line of the log belongs to. */
export const testPartition = (line: LogLine, partitions: number): number =>
  testPartitionOf(testIdentity(line.business_id, line.mode, line.event_id)[3], partitions)

/** What measuring leaves behind, made by hand: a log in memory, and batches in the store. */
export function measuredLog(db: Db, partitions: number) {
  const log = memoryLog(partitions)
  const pending: LogRecord[][] = Array.from({ length: partitions }, () => [])
  const seen = new Set<string>()
  return { log, append, appendUnreadable, measure }

  /** Appends one record to each partition that the lines belong to. */
  function append(lines: readonly LogLine[], at: Instant): void {
    const byPartition = new Map<number, LogLine[]>()
    for (const line of lines) {
      const partition = testPartition(line, partitions)
      byPartition.set(partition, [...(byPartition.get(partition) ?? []), line])
    }
    for (const [partition, own] of byPartition) {
      const value = Buffer.from(own.map((line) => `${JSON.stringify(line)}\n`).join(''))
      pending[partition]?.push(log.append({ partition, value, events: own.length }, at))
    }
  }

  function appendUnreadable(partition: number, at: Instant): void {
    pending[partition]?.push(
      log.append({ partition, value: Buffer.from('{no json'), events: 3 }, at),
    )
  }

  /** Commits up to `recordsMax` records of a partition as one batch. */
  async function measure(partition: number, recordsMax = Number.POSITIVE_INFINITY): Promise<void> {
    const records = pending[partition]?.splice(0, recordsMax) ?? []
    const [first, last] = [records[0], records.at(-1)]
    if (first === undefined || last === undefined) return
    const words: number[] = []
    const verdicts: number[] = []
    for (const record of records) {
      if (isUnreadable(record)) await quarantine(record)
      else judge(record, words, verdicts)
    }
    const at = instantOf(Math.max(...records.map((record) => record.at)))
    await db.query(sql`
      with batch as (
        insert into batches
          (partition, start_offset, end_offset, log_at, ran, fingerprints, verdicts, catalog)
        values (
          ${partition}, ${first.offset}, ${last.offset + 1}, ${timestamptz(at)}, 0,
          ${Buffer.from(packFingerprints(Uint32Array.from(words)))}, ${Buffer.from(verdicts)},
          ${JSON.stringify({ at: first.offset })})
      )
      insert into checkpoints (partition, next_offset, log_identity, log_at, namespace)
      values (${partition}, ${last.offset + 1}, 'memory', ${timestamptz(at)}, 'n')
      on conflict (partition) do update
      set next_offset = excluded.next_offset, log_at = excluded.log_at`)
  }

  function judge(record: LogRecord, words: number[], verdicts: number[]): void {
    for (const text of Buffer.from(record.value).toString().split('\n').slice(0, -1)) {
      const line = JSON.parse(text) as LogLine
      const key = JSON.stringify([line.business_id, line.mode, line.event_id])
      words.push(...fingerprintOf(line))
      verdicts.push(seen.has(key) ? 2 : line.event_name === 'unmatched' ? 1 : 0)
      seen.add(key)
    }
  }

  async function quarantine(record: LogRecord): Promise<void> {
    await db.query(sql`
      insert into quarantine (partition, record_offset, reason, value, events)
      values (
        ${record.partition}, ${record.offset}, 'not JSON', ${Buffer.from(record.value)},
        ${record.events})`)
  }
}

export type MeasuredLog = ReturnType<typeof measuredLog>

const fingerprintOf = (line: LogLine): Fingerprint =>
  testFingerprint(line.business_id, line.mode, line.event_id)

const isUnreadable = (record: LogRecord): boolean => Buffer.from(record.value).includes('{no json')
