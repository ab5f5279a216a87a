import { expect, it } from 'vitest'
import { measuredRecords } from '../../../src/operations/events/measured-records.ts'
import type { LogReader, LogRecord, Offset } from '../../../src/parts/event-log/port.ts'
import type { MeasuredBatch } from '../../../src/parts/store/archive.ts'
import { markBytes } from '../../../src/rules/meter/route-mark.ts'
import { instantOf } from '../../../src/std/instant.ts'

const count = 600
const partition = 0

it('reads each part of the log once, however small the batches are', async () => {
  const { reader, reads } = counting(log)
  const batches = Array.from({ length: count / 2 }, (_, index) => batchOf(index * 2, index * 2 + 2))
  const stretch = { batches, quarantined: [], end: count }
  const wanted = { partition, from: 0, bytesMax: 4 * 1024 * 1024 }
  const read = await measuredRecords(reader, stretch, wanted)
  expect(read.kind === 'records' && read.records.map(({ offset }) => offset)).toEqual(
    log.map(({ offset }) => offset),
  )
  expect(reads).toEqual([0, 100, 200, 300, 400, 500])
})

it('counts only what it answers against its bound', async () => {
  const batches = Array.from({ length: count / 2 }, (_, index) => batchOf(index * 2, index * 2 + 2))
  const stretch = { batches, quarantined: [], end: count }
  const wanted = { partition, from: 0, bytesMax: 50 }
  const read = await measuredRecords(counting(log).reader, stretch, wanted)
  // A record is ten bytes, so the third batch reaches the bound, though a read answers a hundred
  // records.
  expect(read).toMatchObject({ kind: 'records', end: 6 })
})

const log: readonly LogRecord[] = Array.from({ length: count }, (_, offset) => ({
  partition,
  offset,
  at: instantOf(0),
  events: 1,
  value: new Uint8Array(10),
}))

/** A reader that answers a hundred records at a time, and notes where each read began. */
function counting(records: readonly LogRecord[]) {
  const reads: Offset[] = []
  const reader: Pick<LogReader, 'read'> = {
    read: async (_, from) => {
      reads.push(from)
      return records.filter(({ offset }) => offset >= from).slice(0, 100)
    },
  }
  return { reader, reads }
}

const batchOf = (start: Offset, end: Offset): MeasuredBatch => ({
  start,
  end,
  fingerprints: new Uint32Array((end - start) * 3),
  verdicts: new Uint8Array(end - start),
  routeMarks: new Uint8Array((end - start) * markBytes),
  catalog: null,
})
