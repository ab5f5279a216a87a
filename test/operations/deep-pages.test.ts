import { afterAll, beforeAll, expect, it } from 'vitest'
import { listEvents } from '../../src/operations/events/list-events.ts'
import type { ArchiveReader } from '../../src/parts/store/archive.ts'
import { archiveReader } from '../../src/parts/store/postgres/archive/archive-view.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import { instantOf, parseInstant } from '../../src/std/instant.ts'
import type { Move } from '../support/measuring/played.ts'
import { everything, naiveList, noon, own, played } from '../support/measuring/played.ts'
import type { ScratchDatabase } from '../support/store/database.ts'
import { scratchDatabase } from '../support/store/database.ts'

let scratch: ScratchDatabase
let archive: ArchiveReader

beforeAll(async () => {
  scratch = await scratchDatabase()
  archive = archiveReader(scratch.db)
})
afterAll(() => scratch.drop())

it('passes over whole blocks, and answers what a naive model does at any depth', async () => {
  const rounds = Array.from({ length: 40 }, (_, round) => round)
  const { made, model } = await played(
    scratch.db,
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
