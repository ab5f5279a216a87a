import { describe, expect, it } from 'vitest'
import type { Trimmed } from '../../../src/engine/archive/trimming.ts'
import { trimLog } from '../../../src/engine/archive/trimming.ts'
import type { ArchivePosition } from '../../../src/parts/store/archive.ts'
import { logHold, openStoreBackup } from '../../../src/parts/store/postgres/audit/backup.ts'
import { hour, instantOf, minute } from '../../../src/std/instant.ts'
import { memoryLog } from '../../support/event-log/memory-log.ts'
import { quiet } from '../../support/runtime/logger.ts'
import { scratchDatabase } from '../../support/store/database.ts'

const noon = 1_790_000_000_000_000

describe('the log', () => {
  it('keeps what is young, and of the rest what is not measured and archived', async () => {
    expect(await firstAfter({ keep: 30 * minute })).toBe(70)
    expect(await firstAfter({ keep: 0 })).toBe(98)
    expect(await firstAfter({ keep: 0, archived: 60 })).toBe(59)
    expect(await firstAfter({ keep: 0, measured: 60 })).toBe(59)
    expect(await firstAfter({ keep: 0, archived: null })).toBe(0)
    expect(await firstAfter({ keep: 2 * hour })).toBe(0)
  })

  it('keeps less where there is no room, and never less than what is needed', async () => {
    expect(await firstAfter({ keep: 2 * hour, excess: 0.25 })).toBe(25)
    expect(await firstAfter({ keep: 30 * minute, excess: 0.25 })).toBe(70)
    expect(await firstAfter({ keep: 2 * hour, excess: 1 })).toBe(98)
    expect(await firstAfter({ keep: 2 * hour, excess: 1, archived: 10 })).toBe(9)
  })

  it('is whole while somebody copies it', async () => {
    expect(await firstAfter({ keep: 0, held: true })).toBe(0)
  })

  it('is held by a backup until that is over, or its connection is', async () => {
    const scratch = await scratchDatabase()
    const other = await scratchDatabase()
    const [hold, elsewhere] = [logHold(scratch.db), logHold(other.db)]
    const backup = openStoreBackup(scratch.url, quiet)
    expect(await hold.held()).toBe(false)
    await backup.begin()
    expect([await hold.held(), await elsewhere.held()]).toEqual([true, false])
    await backup.end()
    expect(await hold.held()).toBe(true)
    await backup.close()
    await expect.poll(() => hold.held()).toBe(false)
    await scratch.drop()
    await other.drop()
  })
})

interface Given {
  readonly keep: number
  readonly excess?: number
  readonly archived?: number | null
  readonly measured?: number
  readonly held?: boolean
}

/** The first record kept of a hundred, one a minute up to now, the last one at 99. */
async function firstAfter(given: Given): Promise<number> {
  const { keep, excess = 0, archived = 99, measured = 99, held = false } = given
  const log = memoryLog(1)
  for (let index = 0; index < 100; index += 1) {
    const at = instantOf(noon - (100 - index) * minute)
    log.append({ partition: 0, value: Buffer.from('{}\n'), events: 1 }, at)
  }
  const at = instantOf(0)
  const position: ArchivePosition = {
    partition: 0,
    archived,
    measured,
    archivedAt: at,
    measuredAt: at,
  }
  const ports = {
    archive: { positions: () => Promise.resolve([position]) },
    reader: log,
    hold: { held: () => Promise.resolve(held) },
  }
  const told: unknown[] = []
  const trimming = {
    keep,
    excess: () => Promise.resolve(excess),
    trimmed: (partition: number, { from, upTo }: Trimmed) => told.push([partition, from, upTo]),
  }
  await trimLog(ports, trimming, instantOf(noon))
  const { first } = await log.bounds(0)
  expect(told).toEqual(first === 0 ? [] : [[0, 0, first]])
  return first
}
