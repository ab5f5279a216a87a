import { join } from 'node:path'
import { archiveNext, trimmableOf } from '../../../src/engine/archive/archiver.ts'
import { mergeNext } from '../../../src/engine/archive/merger.ts'
import { digestOf } from '../../../src/engine/measuring/agreement.ts'
import { openLmdbEventLog } from '../../../src/parts/event-log/lmdb/event-log.ts'
import { openLmdbLogReader } from '../../../src/parts/event-log/lmdb/reader.ts'
import { createSharedLog } from '../../../src/parts/event-log/lmdb/shared.ts'
import { startPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { archiveWriter } from '../../../src/parts/store/postgres/archive/archive.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { ensureInstallation } from '../../../src/parts/store/postgres/schema/installation.ts'
import { measuring } from '../../../src/parts/store/postgres/usage/measuring.ts'
import { dayPartitions } from '../../../src/parts/store/postgres/usage/partitions.ts'
import { packFingerprints } from '../../../src/rules/archive/fingerprints.ts'
import { markBytes } from '../../../src/rules/meter/route-mark.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import type { Fingerprint } from '../../../src/std/fingerprint.ts'
import { createFingerprinter, fingerprintWords, partitionOf } from '../../../src/std/fingerprint.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, day, instantOf } from '../../../src/std/instant.ts'
import { indexedHere } from '../../../test/support/measuring/indexed-here.ts'
import { cpuSince, cpuTime } from '../../harness/cpu.ts'
import type { Stream } from './stream.ts'
import { eventOf } from './stream.ts'

/** How many partitions the embedded installation has. */
const partitions = 4
/** What a round of the archive finds under load: some four blocks per partition. */
const eventsPerRound = 64_000
const eventsPerRecord = 100

/** The cost of the archive's writing: CPU in microseconds, time in milliseconds. */
export interface Written {
  readonly events: number
  readonly ms: number
  readonly process: number
  readonly postgres: number
}

export interface FillOptions {
  readonly dataDir: string
  readonly stream: Stream
}

/**
 * Writes a stream of events into the log, the batches of measuring and the archive of a data
 * directory, without a server and as fast as possible, through the code of log, store and archive
 * themselves, on a clock that runs through the days of the stream. Usage is not folded, since the
 * archive does not need it.
 */
export async function fill({ dataDir, stream }: FillOptions): Promise<Written> {
  const logger = openLogger({ level: 'warn', part: 'bench' })
  const postgres = await startPostgres({ directory: join(dataDir, 'postgres'), logger })
  const db = openDb({ url: postgres.url, connectionsMax: 4, name: 'bench' })
  const filler = await openFiller(db, { dataDir, stream })
  for (let from = 0; from < stream.events; from += eventsPerRound) {
    const to = Math.min(from + eventsPerRound, stream.events)
    await filler.accept(from, to)
    await filler.archive()
  }
  const written = filler.written()
  await filler.close()
  await db.query({ text: 'vacuum analyze', values: [] })
  await db.close()
  await postgres.stop(60_000)
  return { events: stream.events, ...written }
}

async function openFiller(db: Db, { dataDir, stream }: FillOptions) {
  const logger = openLogger({ level: 'warn', part: 'bench' })
  const { fingerprintKey } = await ensureInstallation(db)
  const fingerprinter = createFingerprinter(fingerprintKey)
  const [store, writer, days] = [measuring(db), archiveWriter(db), dayPartitions(db, day)]
  const clock = { at: stream.from, now: (): Instant => clock.at }
  const shared = createSharedLog(partitions)
  const directory = join(dataDir, 'log')
  const budget = { budgetBytes: 16 * 2 ** 30, diskReserveBytes: 2 ** 28 }
  const log = await openLmdbEventLog({ directory, partitions, shared, clock, logger, ...budget })
  const reader = await openLmdbLogReader({ directory, shared })
  const epochs: number[] = []
  for (let partition = 0; partition < partitions; partition += 1) {
    epochs.push((await store.take(partition, log.identity, 'bench')).epoch)
  }
  for (let at = stream.from; at < after(stream.to, day); at = after(at, day)) await makeDay(at)
  const sums = { ms: 0, process: 0, postgres: 0 }
  return { accept, archive, written: () => sums, close }

  async function makeDay(at: Instant): Promise<void> {
    const first = instantOf(Math.floor(at / day) * day)
    for (const table of ['batches', 'archive_blocks', 'archive_index'] as const) {
      await days.make(table, first)
    }
  }

  async function accept(from: number, to: number): Promise<void> {
    const share = (from - 0) / stream.events
    clock.at = after(stream.from, Math.floor((stream.to - stream.from) * share))
    const events = Array.from({ length: to - from }, (_, index) => eventOf(stream, from + index))
    const { businessId, mode } = stream.owner
    const words = fingerprinter.identities(
      businessId,
      mode,
      events.map((event) => event.id),
    )
    for (let partition = 0; partition < partitions; partition += 1) {
      const own: number[] = []
      for (let index = 0; index < events.length; index += 1) {
        if (partitionOf(words[index * 4 + 3] ?? 0, partitions) === partition) own.push(index)
      }
      const lines = own.map((index) => events[index]?.line ?? '')
      const offsets = await log.append(recordsOf(partition, lines))
      const ids = Uint32Array.from(own.flatMap((i) => [...words.subarray(i * 4, i * 4 + 3)]))
      await measured(partition, offsets, ids)
    }
  }

  async function measured(
    partition: number,
    offsets: readonly number[],
    ids: Uint32Array,
  ): Promise<void> {
    const [start = 0, last = 0] = [offsets[0], offsets.at(-1)]
    const [record] = await reader.read(partition, last, 1)
    const events = ids.length / fingerprintWords
    const slice = {
      partition,
      epoch: epochs[partition] ?? 0,
      start,
      end: last + 1,
      logAt: clock.at,
      ran: 0,
      digest: record === undefined ? null : digestOf(record),
      fingerprints: packFingerprints(ids),
      verdicts: new Uint8Array(events).fill(1),
      routeMarks: new Uint8Array(events * markBytes),
      events,
      billed: 0,
      unmatched: events,
      duplicates: 0,
      quarantined: 0,
    }
    const nothing = { usage: [], accounts: [], catalogs: [], routes: [], quarantined: [] }
    const answer = await store.commit({ slices: [slice], ...nothing })
    if (answer.kind !== 'committed') throw new Error(`The commit was ${answer.kind}.`)
  }

  /** Runs a round of the archive, and measures its cost. */
  async function archive(): Promise<void> {
    const startedAt = performance.now()
    const [cpu, all] = [process.cpuUsage(), cpuTime(process.pid)]
    for (let moved = true; moved; ) {
      moved = false
      for (const position of await writer.positions()) {
        const step = await archiveNext({ archive: writer, reader, indexed: indexedHere }, position)
        if (step.kind === 'halted') throw new Error(step.reason)
        moved ||= step.kind === 'moved'
      }
    }
    for (let partition = 0; partition < partitions; partition += 1) {
      while (await mergeNext({ archive: writer, fingerprint, indexed: indexedHere }, partition));
    }
    const { user, system } = process.cpuUsage(cpu)
    sums.ms += performance.now() - startedAt
    sums.process += user + system
    sums.postgres += cpuSince(all, cpuTime(process.pid))?.started ?? Number.NaN
    for (const position of await writer.positions()) {
      await reader.trim(position.partition, trimmableOf(position))
    }
  }

  function fingerprint(...of: [string, 'test' | 'live', string]): Fingerprint {
    const [hi, lo, rest] = fingerprinter.identity(...of)
    return [hi, lo, rest]
  }

  async function close(): Promise<void> {
    await reader.close()
    await log.close()
  }
}

function recordsOf(partition: number, lines: readonly string[]) {
  const count = Math.ceil(lines.length / eventsPerRecord)
  return Array.from({ length: count }, (_, index) => {
    const own = lines.slice(index * eventsPerRecord, (index + 1) * eventsPerRecord)
    return { partition, value: Buffer.from(own.join('')), events: own.length }
  })
}
