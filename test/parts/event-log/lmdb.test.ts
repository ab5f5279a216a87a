import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LmdbEventLogNeeds } from '../../../src/parts/event-log/lmdb/event-log.ts'
import { openLmdbEventLog } from '../../../src/parts/event-log/lmdb/event-log.ts'
import { openLmdbLogGroup } from '../../../src/parts/event-log/lmdb/group.ts'
import { openLmdbLogReader } from '../../../src/parts/event-log/lmdb/reader.ts'
import {
  beginCommit,
  createSharedLog,
  endCommit,
  publishEnd,
  sharedEnd,
} from '../../../src/parts/event-log/lmdb/shared.ts'
import type { EventLog, GroupHandler } from '../../../src/parts/event-log/port.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { closedOnce } from '../../support/event-log/close-once.ts'
import { recordOf } from '../../support/event-log/records.ts'
import { quiet } from '../../support/runtime/logger.ts'

const partitions = 4
const fromStart: GroupHandler = { taken: async () => 0, lost: () => undefined }

describe('the embedded event log', () => {
  let directory: string
  let shared = createSharedLog(partitions)
  let opened: { close(): Promise<void> }[]

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'event-log-'))
    shared = createSharedLog(partitions)
    opened = []
  })

  afterEach(async () => {
    for (const one of opened.reverse()) await one.close()
    await rm(directory, { recursive: true })
  })

  it('never polls or reads past the flushed offset, even what could be seen', async () => {
    const log = await open()
    await log.append([recordOf(0, partitions), recordOf(partitions, partitions)])
    publishEnd(shared, 0, 1)
    const group = keep(await openLmdbLogGroup({ directory, shared, handler: fromStart }))
    const reader = keep(await openLmdbLogReader({ directory, shared }))
    const slices = await group.poll(1_000_000, 0)
    expect(slices.flatMap(({ records }) => records.map(({ offset }) => offset))).toEqual([0])
    expect(await reader.read(0, 0, 1_000_000)).toHaveLength(1)
    expect((await reader.bounds(0)).end).toBe(1)
    expect(await group.poll(1_000_000, 0)).toEqual([])
    publishEnd(shared, 0, 2)
    expect(await group.poll(1_000_000, 0)).toHaveLength(1)
  })

  it('has published the end of every record by the time it is acked', async () => {
    const log = await open()
    await Promise.all(
      Array.from({ length: 100 }, async (_, seed) => {
        const [offset = 0] = await log.append([recordOf(seed, partitions)])
        expect(sharedEnd(shared, seed % partitions)).toBeGreaterThan(offset)
      }),
    )
  })

  it('gives dense offsets from 0 in every partition', async () => {
    const log = await open()
    const offsets = await Promise.all(
      Array.from({ length: 40 }, (_, seed) => log.append([recordOf(seed, partitions)])),
    )
    const mine = offsets.flat().filter((_, seed) => seed % partitions === 2)
    expect(mine).toEqual([...Array(10).keys()])
  })

  it('can be read by a process that shares no memory with it', async () => {
    const log = await open()
    await log.append([recordOf(3, partitions)])
    const reader = keep(await openLmdbLogReader({ directory, shared: null }))
    expect(reader.partitions).toBe(partitions)
    expect(await reader.bounds(3)).toEqual({ first: 0, end: 1 })
    expect(await reader.read(3, 0, 10)).toHaveLength(1)
  })

  it.each(['bounds', 'ends'] as const)('%s are those after the commit in flight', async (asked) => {
    await open()
    const reader = keep(await openLmdbLogReader({ directory, shared }))
    beginCommit(shared)
    let isAnswered = false
    const answer = asked === 'ends' ? reader.ends([0, 1]) : reader.bounds(0)
    const answered = answer.then(() => {
      isAnswered = true
    })
    for (let turns = 0; turns < 20; turns += 1) await new Promise((done) => setImmediate(done))
    expect(isAnswered).toBe(false)
    endCommit(shared)
    await answered
  })

  it('refuses past its budget before it writes, and accepts again after a trim', async () => {
    const log = await open({ budgetBytes: 1_000_000, checkIntervalMs: 5 })
    const large = { partition: 0, value: Buffer.alloc(200_000), events: 1 }
    let appended = 0
    await expect(
      (async () => {
        for (; appended < 100; appended += 1) await log.append([large])
      })(),
    ).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: expect.any(Number) })
    expect(appended).toBeGreaterThan(2)
    const reader = keep(await openLmdbLogReader({ directory, shared }))
    expect(await reader.bounds(0)).toEqual({ first: 0, end: appended })
    await reader.trim(0, appended)
    await until(async () => (await log.append([large])).length === 1)
  })

  it('refuses while the disk has less free than its reserve', async () => {
    const log = await open({ diskReserveBytes: Number.MAX_SAFE_INTEGER })
    const large = { partition: 0, value: Buffer.alloc(2_000_000), events: 1 }
    await expect(log.append([large])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const reader = keep(await openLmdbLogReader({ directory, shared }))
    expect((await reader.bounds(0)).end).toBe(0)
  })

  it('refuses another number of partitions, whose ids would move', async () => {
    await (await open()).close()
    const other = { directory, partitions: 8, shared: createSharedLog(8) }
    await expect(openLmdbEventLog({ ...defaults(), ...other })).rejects.toThrow('4 partitions')
  })

  it('asks the handler again where a partition was taken in vain', async () => {
    await (await open()).append([recordOf(0, partitions)])
    let failing = true
    const handler: GroupHandler = {
      async taken() {
        if (failing) throw new Error('The store is away.')
        return 0
      },
      lost: () => undefined,
    }
    const group = keep(await openLmdbLogGroup({ directory, shared, handler }))
    await expect(group.poll(1_000, 0)).rejects.toThrow('away')
    failing = false
    expect(await group.poll(100_000, 0)).toHaveLength(1)
  })

  it('has a partition taken again that its handler has dropped', async () => {
    await (await open()).append([recordOf(0, partitions), recordOf(0, partitions)])
    let position: number | null = 0
    const handler: GroupHandler = { ...fromStart, position: () => position }
    const group = keep(await openLmdbLogGroup({ directory, shared, handler }))
    expect(await group.poll(100_000, 0)).toHaveLength(1)
    position = 2
    expect(await group.poll(100_000, 0)).toEqual([])
    position = null
    const [slice] = await group.poll(100_000, 0)
    expect(slice?.records).toHaveLength(2)
  })

  it('ends a waiting poll when the group is closed', async () => {
    await open()
    const group = await openLmdbLogGroup({ directory, shared, handler: fromStart })
    const polled = group.poll(1_000, 60_000)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await group.close()
    expect(await polled).toEqual([])
  })

  it('serves a thread that polls and trims while it appends', async () => {
    const log = await open()
    const count = 3_000
    const path = new URL('../../../dist/test/support/event-log/log-thread.js', import.meta.url)
    const worker = new Worker(path, { workerData: { directory, shared, count } })
    const done = new Promise<{ sum: number; records: number }>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    let [sum, seed] = [0, 0]
    while (seed < count) {
      const seeds = Array.from({ length: 20 }, (_, index) => seed + index)
      seed += seeds.length
      await Promise.all(seeds.map((one) => log.append([recordOf(one, partitions)])))
      for (const one of seeds) sum += recordOf(one, partitions).value.length
    }
    expect(await done).toEqual({ records: count, sum })
    await new Promise((resolve) => worker.once('exit', resolve))
  })

  async function open(changed: Partial<LmdbEventLogNeeds> = {}): Promise<EventLog> {
    return keep(await openLmdbEventLog({ ...defaults(), ...changed }))
  }

  function defaults(): LmdbEventLogNeeds {
    const clock = systemClock()
    const room = { budgetBytes: 1e9, diskReserveBytes: 0 }
    return { directory, partitions, shared, ...room, clock, logger: quiet }
  }

  function keep<T extends { close(): Promise<void> }>(one: T): T {
    opened.push(closedOnce(one))
    return one
  }
})

async function until(ask: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (await ask().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('It did not come to be.')
}
