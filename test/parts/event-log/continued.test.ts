import { expect, it } from 'vitest'
import { openContinuedGroup } from '../../../src/parts/event-log/continued/group.ts'
import { continuedLog } from '../../../src/parts/event-log/continued/log.ts'
import { continuedReader } from '../../../src/parts/event-log/continued/reader.ts'
import type {
  EventLog,
  GroupHandler,
  LogGroup,
  LogReader,
  LogRecord,
} from '../../../src/parts/event-log/port.ts'
import { instantOf } from '../../../src/std/instant.ts'

// A log that stores from 5 on what the one before it would have stored from 100 on.
const origin = { starts: [{ stored: 5, offset: 100 }], formerly: ['old'] }

const recordAt = (offset: number): LogRecord => ({
  partition: 0,
  offset,
  at: instantOf(0),
  events: 1,
  value: Buffer.from(String(offset)),
})

it('gives a record the offset that the log before it would have given', async () => {
  const bare: EventLog = {
    partitions: 1,
    identity: 'new',
    append: (records) => Promise.resolve(records.map((_, index) => 7 + index)),
    close: () => Promise.resolve(),
  }
  const log = continuedLog(bare, origin)
  expect(await log.append([recordAt(0), recordAt(0)])).toEqual([102, 103])
  expect(log.identity).not.toBe('new')
  expect(log.formerly).toEqual(['old'])
})

it('reads nothing of what lies before its start', async () => {
  const asked: number[] = []
  const bare = {
    partitions: 1,
    identity: 'new',
    lagMax: 0,
    read: async (_: number, from: number) => {
      asked.push(from)
      return [recordAt(from)]
    },
    bounds: async () => ({ first: 2, end: 9 }),
    ends: async () => [9],
    trim: async (_: number, offset: number) => void asked.push(offset),
    close: async () => undefined,
  } as unknown as LogReader
  const reader = continuedReader(bare, origin)
  expect(await reader.bounds(0)).toEqual({ first: 100, end: 104 })
  expect(await reader.ends([0])).toEqual([104])
  expect((await reader.read(0, 98, 10)).map(({ offset }) => offset)).toEqual([100])
  expect((await reader.read(0, 103, 10)).map(({ offset }) => offset)).toEqual([103])
  await reader.trim(0, 102)
  expect(asked).toEqual([5, 8, 7])
})

it('tells the group where to read on, and leaves a halted partition halted', async () => {
  let told: GroupHandler | null = null
  const sought: number[] = []
  const bare = {
    poll: async () => [{ partition: 0, records: [recordAt(6)] }],
    seek: (_: number, offset: number) => void sought.push(offset),
    pause: () => undefined,
    close: async () => undefined,
  } as unknown as LogGroup
  let next = 101
  const group = await openContinuedGroup({
    open: (handler) => {
      told = handler
      return Promise.resolve(bare)
    },
    origin,
    handler: {
      taken: () => Promise.resolve(next),
      lost: () => undefined,
      position: () => (next > 1_000 ? null : next),
    },
  })
  const handler = told as GroupHandler | null
  expect(await handler?.taken(0)).toBe(6)
  expect(handler?.position?.(0)).toBe(6)
  expect((await group.poll(1, 1))[0]?.records[0]?.offset).toBe(101)
  group.seek(0, 103)
  expect(sought).toEqual([8])
  next = Number.MAX_SAFE_INTEGER
  expect(await handler?.taken(0)).toBe(Number.MAX_SAFE_INTEGER)
  expect(handler?.position?.(0)).toBeNull()
})
