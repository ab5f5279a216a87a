import { expect } from 'vitest'
import { archiveNext } from '../../../src/engine/archive/archiver.ts'
import { mergeNext } from '../../../src/engine/archive/merger.ts'
import type { EventQuery } from '../../../src/operations/events/candidates.ts'
import { archiveWriter } from '../../../src/parts/store/postgres/archive/archive.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Owner } from '../../../src/rules/archive/line.ts'
import type { LogLine } from '../../../src/rules/meter/usage-event.ts'
import { formatInstant, instantOf, second } from '../../../src/std/instant.ts'
import { indexedHere } from './indexed-here.ts'
import { measuredLog, testFingerprint, testPartition } from './measured-log.ts'

export const partitions = 3
export const noon = 1_790_000_000 * second

/** What happens to the log: events come, are measured, archived, merged, trimmed. */
export type Move =
  | { readonly kind: 'append'; readonly lines: readonly LogLine[] }
  | { readonly kind: 'unreadable' | 'measure' | 'archive' | 'merge' | 'trim'; readonly of: number }

/** A log that these moves made, and what a naive model has of it. */
export async function played(db: Db, moves: readonly Move[]) {
  const writer = archiveWriter(db)
  await db.query(sql`
    truncate batches, checkpoints, quarantine,
      archive_blocks, archive_index, archive_checkpoints`)
  const made = measuredLog(db, partitions)
  const appended: { readonly line: LogLine; readonly partition: number }[] = []
  const counted = new Map<number, number>()
  let clock = noon
  for (const one of moves) {
    clock += second
    if (one.kind === 'append') {
      made.append(one.lines, instantOf(clock))
      appended.push(...one.lines.map((line) => ({ line, partition: partitionOf(line) })))
    } else if (one.kind === 'unreadable') made.appendUnreadable(one.of, instantOf(clock))
    else await advance(one.kind, one.of)
  }
  return { made, model }

  async function advance(
    kind: 'measure' | 'archive' | 'merge' | 'trim',
    of: number,
  ): Promise<void> {
    const position = (await writer.positions()).find((found) => found.partition === of)
    if (kind === 'measure') {
      await made.measure(of)
      counted.set(of, appended.filter(({ partition }) => partition === of).length)
    } else if (position === undefined) return
    else if (kind === 'archive') {
      const step = await archiveNext(
        { archive: writer, reader: made.log, indexed: indexedHere },
        position,
      )
      expect(['moved', 'idle']).toContain(step.kind)
    } else if (kind === 'merge')
      await mergeNext({ archive: writer, fingerprint: testFingerprint, indexed: indexedHere }, of)
    else await made.log.trim(of, Math.max(0, (position.archived ?? 0) - 1))
  }

  /** First copies of what was measured. */
  function model(): readonly LogLine[] {
    const left = new Map(counted)
    const first = new Map<string, LogLine>()
    for (const { line, partition } of appended) {
      const measured = left.get(partition) ?? 0
      if (measured === 0) continue
      left.set(partition, measured - 1)
      const key = JSON.stringify([line.business_id, line.mode, line.event_id])
      if (!first.has(key)) first.set(key, line)
    }
    return [...first.values()]
  }
}

export const everything: EventQuery = {
  owner: { businessId: 'bus_1', mode: 'test' },
  customerId: null,
  eventName: null,
  start: null,
  end: null,
  matches: null,
  offset: 0,
  limit: 100,
}

/** An event of that owner. */
export const own = (id: string, at: number): LogLine => ({
  business_id: 'bus_1',
  mode: 'test',
  event_id: id,
  customer_id: 'cus_1',
  event_name: 'call',
  timestamp: formatInstant(instantOf(noon + at)),
})

export const isOf = (event: LogLine, owner: Owner): boolean =>
  event.business_id === owner.businessId && event.mode === owner.mode

const partitionOf = (event: LogLine): number => testPartition(event, partitions)

/** Sorts everything and then cuts: no blocks, no filters, no cleverness. */
export function naiveList(model: readonly LogLine[], asked: EventQuery): readonly LogLine[] {
  return model
    .filter((event) => isOf(event, asked.owner))
    .filter((event) => asked.customerId === null || event.customer_id === asked.customerId)
    .filter((event) => asked.eventName === null || event.event_name === asked.eventName)
    .filter((event) => asked.start === null || event.timestamp >= formatInstant(asked.start))
    .filter((event) => asked.end === null || event.timestamp <= formatInstant(asked.end))
    .filter((event) => asked.matches === null || asked.matches(event.metadata ?? {}))
    .toSorted((a, b) => {
      if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? 1 : -1
      return a.event_id < b.event_id ? 1 : -1
    })
    .slice(asked.offset, asked.offset + asked.limit)
}
