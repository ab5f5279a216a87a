import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventQuery } from '../../src/operations/events/candidates.ts'
import { listEvents } from '../../src/operations/events/list-events.ts'
import { readEvent } from '../../src/operations/events/read-event.ts'
import type { ArchiveReader } from '../../src/parts/store/archive.ts'
import { archiveReader } from '../../src/parts/store/postgres/archive/archive-view.ts'
import type { Owner } from '../../src/rules/archive/line.ts'
import type { LogLine } from '../../src/rules/meter/usage-event.ts'
import { formatInstant, instantOf, parseInstant, second } from '../../src/std/instant.ts'
import type { MeasuredLog } from '../support/measuring/measured-log.ts'
import { testIdentity, testPartitionOf } from '../support/measuring/measured-log.ts'
import type { Move } from '../support/measuring/played.ts'
import {
  everything,
  isOf,
  naiveList,
  noon,
  own,
  partitions,
  played,
} from '../support/measuring/played.ts'
import { runs } from '../support/run/runs.ts'
import type { ScratchDatabase } from '../support/store/database.ts'
import { scratchDatabase } from '../support/store/database.ts'

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
  let archive: ArchiveReader

  beforeAll(async () => {
    scratch = await scratchDatabase()
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
          const { made, model } = await played(scratch.db, moves)
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
      runs(40),
    )
  })

  it('pages deeper than a selection without a gap', async () => {
    const { made } = await played(scratch.db, [
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

  it('says how far it is', async () => {
    const { made } = await played(scratch.db, [{ kind: 'append', lines: [own('a', 1)] }])
    const read = async (reader: typeof made.log | null) =>
      (await listEvents({ archive, reader }, everything)).completeTo
    expect(await read(made.log)).toBe(0)
    for (let partition = 0; partition < partitions; partition += 1) await made.measure(partition)
    expect(await read(made.log)).toBe(noon + second)
    expect(await read(null)).toBe(0)
  })

  it('finds nothing unmeasured', async () => {
    const { made } = await played(scratch.db, [{ kind: 'append', lines: [own('a', 1)] }])
    const owner = everything.owner
    expect(await read(made, owner, 'a')).toBeNull()
    for (let partition = 0; partition < partitions; partition += 1) await made.measure(partition)
    expect(await read(made, owner, 'a')).toMatchObject({ verdict: 0, receivedAt: noon + second })
    expect(await read(made, { ...owner, mode: 'live' }, 'a')).toBeNull()
    expect(await read(made, { ...owner, businessId: 'bus_2' }, 'a')).toBeNull()
  })

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
