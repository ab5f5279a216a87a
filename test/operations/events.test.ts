import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveNext } from '../../src/engine/archive/archiver.ts'
import { mergeNext } from '../../src/engine/archive/merger.ts'
import type { EventQuery } from '../../src/operations/events/candidates.ts'
import { listEvents } from '../../src/operations/events/list-events.ts'
import { readEvent } from '../../src/operations/events/read-event.ts'
import type { ArchiveReader, ArchiveWriter } from '../../src/parts/store/archive.ts'
import { archiveWriter } from '../../src/parts/store/postgres/archive/archive.ts'
import { archiveReader } from '../../src/parts/store/postgres/archive/archive-view.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import type { Owner } from '../../src/rules/archive/line.ts'
import type { LogLine } from '../../src/rules/meter/usage-event.ts'
import { formatInstant, instantOf, parseInstant, second } from '../../src/std/instant.ts'
import type { MeasuredLog } from '../support/measuring/measured-log.ts'
import {
  measuredLog,
  testFingerprint,
  testIdentity,
  testPartition,
  testPartitionOf,
} from '../support/measuring/measured-log.ts'
import type { ScratchDatabase } from '../support/store/database.ts'
import { scratchDatabase } from '../support/store/database.ts'

const partitions = 3
const noon = 1_790_000_000 * second

/** What happens to the log: events come, are measured, archived, merged, trimmed. */
type Move =
  | { readonly kind: 'append'; readonly lines: readonly LogLine[] }
  | { readonly kind: 'unreadable' | 'measure' | 'archive' | 'merge' | 'trim'; readonly of: number }

const names = ['call', 'unmatched', 'a\u0000b', 'ü"\\', '\ud800'] as const
const ids = ['evt_1', 'EVT_1', 'Evt_2', 'ü', '"', '\\', 'a\u0000', '__proto__', '\ud83d']

const line = fc
  .record({
    business_id: fc.constantFrom('bus_1', 'bus_2'),
    mode: fc.constantFrom('test' as const, 'live' as const),
    event_id: fc.oneof(fc.constantFrom(...ids), fc.integer({ min: 0, max: 400 }).map(String)),
    customer_id: fc.constantFrom('cus_1', 'cus_2', 'cus_3'),
    event_name: fc.constantFrom(...names),
    timestamp: fc.integer({ min: 0, max: 6 }).map((at) => formatInstant(instantOf(noon + at * 5))),
    metadata: fc.constantFrom(null, { n: 1 }, { n: 2, nested: [1, { deep: true }] }),
  })
  // The log holds what JSON.stringify makes of a text, and reads give back what JSON.parse reads.
  .map((draft) => JSON.parse(JSON.stringify(draft)) as LogLine)

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(line, { minLength: 1, maxLength: 5 })
      .map((lines) => ({ kind: 'append' as const, lines })),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        ...(['unreadable', 'measure', 'measure', 'archive', 'archive', 'merge', 'trim'] as const),
      ),
      of: fc.integer({ min: 0, max: partitions - 1 }),
    }),
  },
)

const maybe = <T>(...values: readonly T[]): fc.Arbitrary<T | null> =>
  fc.option(fc.constantFrom(...values), { freq: 2 })

const query: fc.Arbitrary<EventQuery> = fc.record({
  owner: fc.record({
    businessId: fc.constantFrom('bus_1', 'bus_2'),
    mode: fc.constantFrom('test' as const, 'live' as const),
  }),
  customerId: maybe('cus_1', 'cus_2', 'cus_9'),
  eventName: maybe(...names),
  start: maybe(instantOf(noon + 5), instantOf(noon + 20), instantOf(noon + 30)),
  end: maybe(instantOf(noon), instantOf(noon + 15), instantOf(noon + 25)),
  matches: maybe((metadata: Readonly<Record<string, unknown>>) => metadata['n'] === 2),
  offset: fc.constantFrom(0, 0, 1, 5, 17, 1_000, 2_000_000),
  limit: fc.constantFrom(1, 3, 10, 100),
})

describe('reading events', () => {
  let scratch: ScratchDatabase
  let writer: ArchiveWriter
  let archive: ArchiveReader

  beforeAll(async () => {
    scratch = await scratchDatabase()
    writer = archiveWriter(scratch.db)
    archive = archiveReader(scratch.db)
  })
  afterAll(() => scratch.drop())

  it('answers as a naive model does, wherever the events just are', async () => {
    const histories = fc.array(move, { minLength: 20, maxLength: 80 })
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(query, { minLength: 5, maxLength: 5 }),
        async (moves, queries) => {
          const { made, model } = await played(moves)
          for (const asked of queries) {
            const { events } = await listEvents({ archive, reader: made.log }, asked)
            const expected = naiveList(model(), asked)
            expect(events.map((event) => [event.eventId, event.timestamp])).toEqual(
              expected.map((own) => [own.event_id, parseInstant(own.timestamp)]),
            )
          }
          const [asked] = queries
          if (asked !== undefined) await expectEachId(made, model(), asked.owner)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('pages deeper than a selection without a gap', async () => {
    const { made } = await played([
      ...Array.from({ length: 30 }, (_, batch) => ({
        kind: 'append' as const,
        lines: Array.from({ length: 100 }, (_, index) => own(`e${batch}-${index}`, batch)),
      })),
      ...[0, 1, 2].map((of) => ({ kind: 'measure' as const, of })),
      ...[0, 1].map((of) => ({ kind: 'archive' as const, of })),
    ])
    const seen: string[] = []
    for (let offset = 0; ; offset += 90) {
      const asked = { ...everything, offset, limit: 90 }
      const { events } = await listEvents({ archive, reader: made.log }, asked)
      if (events.length === 0) break
      seen.push(...events.map((event) => event.eventId))
    }
    expect(seen).toHaveLength(3_000)
    expect(new Set(seen).size).toBe(3_000)
    expect(seen[0]).toBe('e29-99')
    expect(seen.at(-1)).toBe('e0-0')
  })

  it('passes over whole blocks, and answers what a naive model does at any depth', async () => {
    const rounds = Array.from({ length: 40 }, (_, round) => round)
    const { made, model } = await played(
      rounds.flatMap((round): Move[] => [
        {
          kind: 'append',
          // Some come late, some again, and some at one moment.
          lines: Array.from({ length: 60 }, (_, index) =>
            own(
              `e${(round * 50 + index) % 1_990}`,
              round * 60 + index - (index % 9 === 0 ? 300 : index % 7),
            ),
          ),
        },
        ...[0, 1, 2].map((of) => ({ kind: 'measure' as const, of })),
        ...(round < 37 ? [0, 1, 2].map((of) => ({ kind: 'archive' as const, of })) : []),
        ...(round % 8 === 3 ? [{ kind: 'merge' as const, of: round % 3 }] : []),
      ]),
    )
    const counts: number[] = []
    for (const offset of [950, 1_000, 1_111, 1_400, 1_700, 1_900, 1_985, 1_989, 5_000]) {
      for (const [start, end] of [
        [null, null],
        [null, instantOf(noon + 2_100)],
        [instantOf(noon + 500), null],
      ] as const) {
        const asked = { ...everything, offset, limit: 90, start, end }
        const opened = { blocks: 0 }
        const { events } = await listEvents(
          { archive: spied(archive, opened), reader: made.log },
          asked,
        )
        expect(events.map((event) => [event.eventId, event.timestamp])).toEqual(
          naiveList(model(), asked).map((one) => [one.event_id, parseInstant(one.timestamp)]),
        )
        if (start === null && end === null && events.length > 0) counts.push(opened.blocks)
      }
    }
    const [{ all } = { all: 0 }] = await scratch.db.query<{ all: number }>(
      sql`select count(*) as all from archive_blocks`,
    )
    expect(all).toBeGreaterThan(50)
    // Without passing over, those in the depth would be taken out twice.
    expect(Math.max(...counts)).toBeLessThan(all)
  })

  it('says how far it is', async () => {
    const { made } = await played([{ kind: 'append', lines: [own('a', 1)] }])
    const read = async (reader: typeof made.log | null) =>
      (await listEvents({ archive, reader }, everything)).completeTo
    expect(await read(made.log)).toBe(0)
    for (let partition = 0; partition < partitions; partition += 1) await made.measure(partition)
    expect(await read(made.log)).toBe(noon + second)
    expect(await read(null)).toBe(0)
  })

  it('finds nothing unmeasured', async () => {
    const { made } = await played([{ kind: 'append', lines: [own('a', 1)] }])
    const owner = everything.owner
    expect(await read(made, owner, 'a')).toBeNull()
    for (let partition = 0; partition < partitions; partition += 1) await made.measure(partition)
    expect(await read(made, owner, 'a')).toMatchObject({ verdict: 0, receivedAt: noon + second })
    expect(await read(made, { ...owner, mode: 'live' }, 'a')).toBeNull()
    expect(await read(made, { ...owner, businessId: 'bus_2' }, 'a')).toBeNull()
  })

  async function played(moves: readonly Move[]) {
    await scratch.db.query(sql`
      truncate batches, checkpoints, quarantine,
        archive_blocks, archive_index, archive_checkpoints`)
    const made = measuredLog(scratch.db, partitions)
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
        const step = await archiveNext({ archive: writer, reader: made.log }, position)
        expect(['moved', 'idle']).toContain(step.kind)
      } else if (kind === 'merge')
        await mergeNext({ archive: writer, fingerprint: testFingerprint }, of)
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

  async function expectEachId(
    made: MeasuredLog,
    model: readonly LogLine[],
    owner: Owner,
  ): Promise<void> {
    for (const id of [...ids, '7', 'nobody']) {
      const expected = model.find((own) => isOf(own, owner) && own.event_id === id)
      const found = await read(made, owner, id)
      expect(found?.event ?? null).toEqual(
        expected === undefined
          ? null
          : {
              eventId: id,
              customerId: expected.customer_id,
              eventName: expected.event_name,
              timestamp: parseInstant(expected.timestamp),
              metadata: expected.metadata ?? null,
            },
      )
    }
  }

  const read = (made: MeasuredLog, owner: Owner, id: string) =>
    readEvent(
      {
        archive,
        reader: made.log,
        partitions,
        identity: testIdentity,
        partitionOf: testPartitionOf,
        eventRetention: 90 * 86_400_000_000,
      },
      owner,
      id,
    )
})

const everything: EventQuery = {
  owner: { businessId: 'bus_1', mode: 'test' },
  customerId: null,
  eventName: null,
  start: null,
  end: null,
  matches: null,
  offset: 0,
  limit: 100,
}

const own = (id: string, at: number): LogLine => ({
  business_id: 'bus_1',
  mode: 'test',
  event_id: id,
  customer_id: 'cus_1',
  event_name: 'call',
  timestamp: formatInstant(instantOf(noon + at)),
})

/** Counts the blocks that are taken out of the archive. */
const spied = (archive: ArchiveReader, opened: { blocks: number }): ArchiveReader => {
  const counted = <T extends readonly unknown[]>(found: T): T => {
    opened.blocks += found.length
    return found
  }
  return {
    ...archive,
    view: (look) =>
      archive.view((view) =>
        look({
          ...view,
          page: (...asked) => view.page(...asked).then(counted),
          keyed: (...asked) => view.keyed(...asked).then(counted),
        }),
      ),
  }
}

const isOf = (event: LogLine, owner: Owner): boolean =>
  event.business_id === owner.businessId && event.mode === owner.mode

const partitionOf = (event: LogLine): number => testPartition(event, partitions)

/** Sorts everything and then cuts: no blocks, no filters, no cleverness. */
function naiveList(model: readonly LogLine[], asked: EventQuery): readonly LogLine[] {
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
