import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  EventLog,
  GroupHandler,
  LogGroup,
  LogReader,
  LogRecord,
  NewRecord,
} from '../../src/parts/event-log/port.ts'
import { instantOf } from '../../src/std/instant.ts'
import { closedOnce } from '../support/event-log/close-once.ts'

/** One log of one driver, which a test opens several times, and which nobody else uses. */
export interface EventLogPlace {
  /** The first call makes the log, later ones find it. */
  openLog(): Promise<EventLog>
  openGroup(handler: GroupHandler): Promise<LogGroup>
  openReader(): Promise<LogReader>
  destroy(): Promise<void>
}

export interface EventLogDriver {
  readonly name: string
  readonly partitions: number
  /** How long a poll may have to wait for a record that exists, since groups take time to join. */
  readonly pollMs: number
  /** Whether `trim` deletes; if not, the log deletes by itself, by age. */
  readonly trims: boolean
  place(): Promise<EventLogPlace>
}

/** What every event log promises, whatever it is made of. */
export function testEventLog(driver: EventLogDriver): void {
  describe(`the event log of ${driver.name}`, () => {
    let place: EventLogPlace
    let log: EventLog
    let opened: { close(): Promise<void> }[]

    beforeEach(async () => {
      opened = []
      place = await driver.place()
      log = keep(await place.openLog())
    })

    afterEach(async () => {
      for (const one of opened.reverse()) await one.close()
      await place.destroy()
    })

    it('answers an append with rising offsets, one a record, in order', async () => {
      const first = await log.append([record(0, 'a'), record(1, 'b'), record(0, 'c')])
      const second = await log.append([record(0, 'd')])
      expect(first).toHaveLength(3)
      expect(first[2]).toBeGreaterThan(first[0] ?? Number.NaN)
      expect(second[0]).toBeGreaterThan(first[2] ?? Number.NaN)
      expect(await log.append([])).toEqual([])
    })

    it('keeps bytes, counts and log times as they were', async () => {
      const before = Date.now() * 1_000 - 1_000_000
      const value = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index & 255))
      const small = { partition: 1, value: Buffer.from('{}\n'), events: 3 }
      const [, offset] = await log.append([small, { partition: 1, value, events: 1 }])
      const reader = keep(await place.openReader())
      const records = await reader.read(1, 0, 1_000_000)
      expect(records.map(({ events }) => events)).toEqual([3, 1])
      expect(Buffer.from(records[1]?.value ?? [])).toEqual(value)
      expect(records[1]?.offset).toBe(offset)
      expect(records[0]?.at).toBeGreaterThan(before)
      expect(records[0]?.at).toBeLessThan(Date.now() * 1_000 + 1_000_000)
    })

    it('keeps the log time of a record that was moved here from another log', async () => {
      const at = instantOf(1_700_000_000_123_456)
      const [offset = Number.NaN] = await log.append([{ ...record(0, 'moved'), at }])
      const [other = Number.NaN] = await log.append([record(0, 'new')])
      const reader = keep(await place.openReader())
      expect((await reader.read(0, offset, 1))[0]?.at).toBe(at)
      expect((await reader.read(0, other, 1))[0]?.at).toBeGreaterThan(at)
    })

    it('keeps which traced requests a record came with', async () => {
      const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
      const traces = [{ first: 0, last: 0 }, null].map((range) => ({ traceparent, range }))
      const traced = { ...record(0, 'traced'), traces }
      const [one = Number.NaN] = await log.append([{ ...traced, traces: traces.slice(1) }])
      const offsets = await log.append([traced, record(0, 'not')])
      const reader = keep(await place.openReader())
      expect((await reader.read(0, one, 1))[0]?.traces).toEqual(traces.slice(1))
      expect((await reader.read(0, offsets[0] ?? 0, 1))[0]?.traces).toEqual(traces)
      expect((await reader.read(0, offsets[1] ?? 0, 1))[0]?.traces).toBeUndefined()
      // Nothing of a trimmed record stays.
      await reader.trim(0, offsets[1] ?? 0)
      expect((await reader.read(0, offsets[1] ?? 0, 1))[0]?.traces).toBeUndefined()
    })

    it('owns nothing of the buffers that it was given', async () => {
      const value = Buffer.from('one\n')
      await log.append([{ partition: 0, value, events: 1 }])
      value.fill(0)
      const reader = keep(await place.openReader())
      expect(texts(await reader.read(0, 0, 100))).toEqual(['one\n'])
    })

    it('has every acked record and its identity after it was opened again', async () => {
      const appends = Array.from({ length: 50 }, (_, index) => {
        return log.append([record(index % driver.partitions, `r${index}`)])
      })
      const offsets = (await Promise.all(appends)).flat()
      const { identity } = log
      await log.close()
      const again = keep(await place.openLog())
      expect(again.identity).toBe(identity)
      const reader = keep(await place.openReader())
      expect(reader.identity).toBe(identity)
      expect(reader.partitions).toBe(driver.partitions)
      for (const [index, offset] of offsets.entries()) {
        const [found] = await reader.read(index % driver.partitions, offset, 1)
        expect(found?.offset).toBe(offset)
        expect(Buffer.from(found?.value ?? []).toString()).toBe(`r${index}`)
      }
      const [next] = await again.append([record(0, 'after')])
      expect(next).toBeGreaterThan(
        Math.max(...offsets.filter((_, i) => i % driver.partitions === 0)),
      )
    })

    it('reads from the middle, at most so many bytes, but at least one record', async () => {
      const offsets = await log.append(Array.from({ length: 10 }, () => record(0, 'x'.repeat(100))))
      const reader = keep(await place.openReader())
      const some = await reader.read(0, offsets[4] ?? 0, 350)
      expect(some.map(({ offset }) => offset)).toEqual(offsets.slice(4, 7))
      expect(await reader.read(0, offsets[9] ?? 0, 1)).toHaveLength(1)
      expect(await reader.read(0, (offsets[9] ?? 0) + 1, 1_000)).toEqual([])
      expect(await reader.read(1, 0, 1_000)).toEqual([])
    })

    it('knows its bounds', async () => {
      const reader = keep(await place.openReader())
      expect(await reader.bounds(0)).toEqual({ first: 0, end: 0 })
      const offsets = await log.append(Array.from({ length: 600 }, () => record(0, 'x')))
      const { end } = await reader.bounds(0)
      expect(end).toBeGreaterThan(offsets.at(-1) ?? Number.NaN)
      expect(await reader.bounds(1)).toEqual({ first: 0, end: 0 })
      expect(await reader.ends([1, 0])).toEqual([0, end])
    })

    if (driver.trims) {
      it('is trimmed to the middle, and to the end', async () => {
        const reader = keep(await place.openReader())
        const offsets = await log.append(Array.from({ length: 600 }, () => record(0, 'x')))
        const { end } = await reader.bounds(0)
        await reader.trim(0, offsets[500] ?? 0)
        expect(await reader.bounds(0)).toEqual({ first: offsets[500], end })
        const kept = await reader.read(0, 0, 1_000_000)
        expect(kept.map(({ offset }) => offset)).toEqual(offsets.slice(500))
        await reader.trim(0, end)
        expect(await reader.bounds(0)).toEqual({ first: end, end })
        expect(await reader.bounds(1)).toEqual({ first: 0, end: 0 })
      })

      it('never gives an offset again, though all was trimmed and it was closed', async () => {
        const offsets = await log.append([record(0, 'a'), record(0, 'b')])
        const reader = keep(await place.openReader())
        const { end } = await reader.bounds(0)
        await reader.trim(0, end)
        await log.close()
        const again = keep(await place.openLog())
        expect(await reader.bounds(0)).toEqual({ first: end, end })
        const [next] = await again.append([record(0, 'c')])
        expect(next).toBeGreaterThan(offsets[1] ?? Number.NaN)
      })
    } else {
      it('keeps all that it has when it is told to trim', async () => {
        const reader = keep(await place.openReader())
        const offsets = await log.append([record(0, 'a'), record(0, 'b')])
        const { end } = await reader.bounds(0)
        await reader.trim(0, end)
        expect(await reader.bounds(0)).toEqual({ first: 0, end })
        const kept = await reader.read(0, 0, 1_000)
        expect(kept.map(({ offset }) => offset)).toEqual(offsets)
      })
    }

    it('gives a group member all partitions, and all records once, in order', async () => {
      const taken: number[] = []
      const group = keep(await place.openGroup(from(0, taken)))
      const appends = Array.from({ length: 200 }, (_, index) => {
        return log.append([record(index % driver.partitions, `${index}`)])
      })
      const polled = await pollFor(group, 200)
      await Promise.all(appends)
      expect(taken.sort((a, b) => a - b)).toEqual(allPartitions(driver))
      for (const partition of allPartitions(driver)) {
        const mine = polled.filter((one) => one.partition === partition)
        expect(mine.map(({ offset }) => offset)).toEqual(sorted(mine.map(({ offset }) => offset)))
        const expected = Array.from({ length: 200 }, (_, index) => index)
        expect(texts(mine).map(Number)).toEqual(
          expected.filter((index) => index % driver.partitions === partition),
        )
      }
      expect(await group.poll(1_000, 10)).toEqual([])
    })

    it('starts a partition where its handler says', async () => {
      const offsets = await log.append([record(0, 'a'), record(0, 'b'), record(0, 'c')])
      const group = keep(await place.openGroup(from(offsets[1] ?? 0, [])))
      expect(texts(await pollFor(group, 2))).toEqual(['b', 'c'])
    })

    it('reads again from where it was told to seek', async () => {
      const offsets = await log.append([record(0, 'a'), record(0, 'b'), record(0, 'c')])
      const group = keep(await place.openGroup(from(0, [])))
      expect(await pollFor(group, 3)).toHaveLength(3)
      group.seek(0, offsets[1] ?? 0)
      expect(texts(await pollFor(group, 2))).toEqual(['b', 'c'])
    })

    it('delivers nothing of a paused partition, and everything once it is resumed', async () => {
      const group = keep(await place.openGroup(from(0, [])))
      await log.append([record(0, 'first'), record(1, 'first')])
      await pollFor(group, 2)
      group.pause(0, true)
      await log.append([record(0, 'held'), record(1, 'free')])
      expect(texts(await pollFor(group, 1))).toEqual(['free'])
      expect(await group.poll(1_000, 20)).toEqual([])
      group.pause(0, false)
      expect(texts(await pollFor(group, 1))).toEqual(['held'])
    })

    it('wakes a waiting poll for an append', async () => {
      const group = keep(await place.openGroup(from(0, [])))
      await log.append([record(0, 'before')])
      await pollFor(group, 1)
      const polled = group.poll(1_000, 20_000)
      await log.append([record(1, 'now')])
      expect(texts((await polled).flatMap(({ records }) => records))).toEqual(['now'])
    })

    it('lets a full partition starve no other, and a large record starve none', async () => {
      await log.append(Array.from({ length: 50 }, () => record(0, 'x'.repeat(1_000))))
      await log.append([record(1, 'small')])
      await log.append([record(0, 'y'.repeat(10_000))])
      const group = keep(await place.openGroup(from(0, [])))
      const seen: LogRecord[] = []
      let polls = 0
      while (!seen.some(({ partition }) => partition === 1)) {
        seen.push(...(await pollOnce(group, 5_000, driver.pollMs)))
        polls += 1
        expect(polls).toBeLessThan(20)
      }
      while (seen.length < 52) seen.push(...(await pollOnce(group, 5_000, driver.pollMs)))
      expect(Math.max(...seen.map(({ value }) => value.length))).toBe(10_000)
    })

    function keep<T extends { close(): Promise<void> }>(one: T): T {
      opened.push(closedOnce(one))
      return one
    }

    async function pollFor(group: LogGroup, count: number): Promise<LogRecord[]> {
      const records: LogRecord[] = []
      while (records.length < count)
        records.push(...(await pollOnce(group, 1_000_000, driver.pollMs)))
      return records
    }
  })
}

/** Offset 0 for the other partitions. */
function from(first: number, taken: number[]): GroupHandler {
  return {
    async taken(partition) {
      taken.push(partition)
      return partition === 0 ? first : 0
    },
    lost: () => undefined,
  }
}

async function pollOnce(group: LogGroup, bytesMax: number, waitMs: number): Promise<LogRecord[]> {
  const slices = await group.poll(bytesMax, waitMs)
  expect(slices.every((slice) => slice.records.every((r) => r.partition === slice.partition))).toBe(
    true,
  )
  return slices.flatMap(({ records }) => records)
}

const record = (partition: number, text: string): NewRecord => ({
  partition,
  value: Buffer.from(text),
  events: 1,
})

const texts = (records: readonly LogRecord[]): string[] =>
  records.map(({ value }) => Buffer.from(value).toString())

const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b)

const allPartitions = ({ partitions }: EventLogDriver): number[] => [...Array(partitions).keys()]
