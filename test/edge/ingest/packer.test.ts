import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteBudget } from '../../../src/edge/http/budget.ts'
import type { Piece } from '../../../src/edge/ingest/packer.ts'
import { packer } from '../../../src/edge/ingest/packer.ts'
import { manualClock } from '../../support/edge/test-server.ts'
import type { MemoryEventLog } from '../../support/event-log/memory-event-log.ts'
import { linesOf, memoryEventLog } from '../../support/event-log/memory-event-log.ts'
import { runs } from '../../support/run/runs.ts'

interface Bounds {
  readonly recordBytesMax?: number
  readonly bytesMax?: number
  readonly waitMs?: number
  readonly appendsInFlightMax?: number
}

function packing(log: MemoryEventLog, bounds: Bounds = {}) {
  const { bytesMax = 1_000_000, ...rest } = bounds
  const budget = byteBudget(bytesMax)
  const seen: number[] = []
  const clock = manualClock()
  const appended = (seconds: number) => void seen.push(seconds)
  return { ...packer({ log, budget, clock, appended, ...rest }), budget, seen }
}

const piece = (partition: number, ...ids: readonly string[]): Piece => ({
  partition,
  bytes: Buffer.from(ids.map((id) => `${JSON.stringify({ id })}\n`).join('')),
  events: ids.length,
})

describe('the packer', () => {
  it('collects what arrives in one turn into one append', async () => {
    const log = memoryEventLog()
    const pack = packing(log)
    const answers = await Promise.all([
      pack.append([piece(0, 'a'), piece(1, 'b')]),
      pack.append([piece(0, 'c')]),
    ])
    expect(log.appends).toBe(1)
    expect(log.records.map(({ partition, events }) => [partition, events])).toEqual([
      [0, 2],
      [1, 1],
    ])
    expect(answers.map((position) => [...position])).toEqual([
      [
        [0, 1],
        [1, 1],
      ],
      [[0, 1]],
    ])
    expect(pack.seen).toHaveLength(1)
  })

  it('gathers while as many appends as allowed are in flight', async () => {
    const log = memoryEventLog()
    const pack = packing(log, { appendsInFlightMax: 2 })
    log.hold()
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const answers = [pack.append([piece(0, 'a')])]
    await turn()
    answers.push(pack.append([piece(0, 'b')]))
    await turn()
    for (const id of ['c', 'd', 'e']) {
      answers.push(pack.append([piece(0, id)]))
      await turn()
    }
    expect(log.appends).toBe(2)
    log.release()
    await Promise.all(answers)
    await pack.drained()
    expect(log.appends).toBe(3)
    expect(log.inFlightMax).toBe(2)
    expect(log.records.map(({ events }) => events)).toEqual([1, 1, 3])
    expect(pack.budget.used).toBe(0)
  })

  it('has one append in flight, so that what comes meanwhile leaves right behind it', async () => {
    const log = memoryEventLog()
    const pack = packing(log)
    log.hold()
    const answers = []
    for (const id of ['a', 'b', 'c']) {
      answers.push(pack.append([piece(0, id)]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(log.appends).toBe(1)
    log.release()
    await Promise.all(answers)
    expect(log.records.map(({ events }) => events)).toEqual([1, 2])
  })

  it('refuses more as long as somebody has waited for too long', async () => {
    const log = memoryEventLog()
    const pack = packing(log, { appendsInFlightMax: 2, waitMs: 5 })
    log.hold()
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const answers: Promise<unknown>[] = []
    for (const id of ['a', 'b', 'c']) {
      answers.push(pack.append([piece(0, id)]))
      await turn()
    }
    // Two are on their way; the third waits.
    await new Promise((resolve) => setTimeout(resolve, 20))
    await expect(pack.append([piece(1, 'd')])).rejects.toThrow('Too many events wait')
    log.release()
    await Promise.all(answers)
    await pack.append([piece(1, 'e')])
    expect(log.records).toHaveLength(4)
    expect(pack.budget.used).toBe(0)
  })

  it('fails exactly the requests of a failed append, and goes on', async () => {
    const log = memoryEventLog()
    const pack = packing(log)
    log.fail(1)
    const lost = [pack.append([piece(0, 'a')]), pack.append([piece(1, 'b')])]
    await expect(lost[0]).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 })
    await expect(lost[1]).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await pack.append([piece(0, 'c')])
    expect(log.lines()).toEqual([{ id: 'c' }])
    expect(pack.budget.used).toBe(0)
  })

  it('turns any failure of the log into UNAVAILABLE', async () => {
    const log = memoryEventLog()
    const pack = packing({ ...log, append: () => Promise.reject(new Error('disk')) })
    await expect(pack.append([piece(0, 'a')])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      cause: { message: 'disk' },
    })
  })

  it('does not append the rest of a request that failed', async () => {
    const log = memoryEventLog()
    const pack = packing(log, { appendsInFlightMax: 2, recordBytesMax: 12 })
    log.fail(2)
    const lost = pack.append([piece(0, 'a'), piece(0, 'b'), piece(0, 'c'), piece(0, 'd')])
    await expect(lost).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await pack.append([piece(0, 'z')])
    expect(log.lines()).toEqual([{ id: 'z' }])
  })

  it('refuses what does not fit, and takes it when there is room', async () => {
    const log = memoryEventLog()
    const one = piece(0, 'a')
    const pack = packing(log, { bytesMax: one.bytes.length })
    const first = pack.append([one])
    await expect(pack.append([one])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryAfterSeconds: 1,
    })
    await first
    await pack.append([one])
  })

  it('puts every line into exactly one record of its partition, whatever the packing', async () => {
    const request = fc.record({
      turns: fc.nat({ max: 3 }),
      pieces: fc.array(
        fc.record({ partition: fc.nat({ max: 3 }), ids: fc.array(fc.string(), { minLength: 1 }) }),
        { minLength: 1, maxLength: 6 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 20 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 3 }),
        async (requests, recordBytesMax, appendsInFlightMax) => {
          const log = memoryEventLog()
          const pack = packing(log, { recordBytesMax, appendsInFlightMax })
          const sent: string[] = []
          const receipts: Promise<void>[] = []
          for (const [number, { pieces, turns }] of requests.entries()) {
            const named = pieces.map(({ ids, partition }, at) =>
              piece(
                partition,
                ...ids.map((id, index) => `${partition}/${number}.${at}.${index}${id}`),
              ),
            )
            for (const { partition, bytes } of named) {
              for (const line of Buffer.from(bytes).toString('utf8').split('\n').slice(0, -1))
                sent.push(`${partition} ${line}`)
            }
            receipts.push(
              pack.append(named).then((position) => {
                for (const one of named) expect(covered(log, one, position)).toBe(true)
              }),
            )
            for (let turn = 0; turn < turns; turn += 1) {
              await new Promise((resolve) => setImmediate(resolve))
            }
          }
          await Promise.all(receipts)
          await pack.drained()
          const stored = log.records.flatMap((record) => {
            const lines = linesOf(record)
            expect(lines).toHaveLength(record.events)
            return lines.map((line) => `${record.partition} ${JSON.stringify(line)}`)
          })
          expect(stored.toSorted()).toEqual(sent.toSorted())
          expect(log.inFlightMax).toBeLessThanOrEqual(appendsInFlightMax)
          expect(pack.budget.used).toBe(0)
        },
      ),
      runs(50),
    )
  })
})

/** Whether the piece is in the log before the position. */
function covered(log: MemoryEventLog, one: Piece, position: ReadonlyMap<number, number>): boolean {
  const records = log.records.filter(({ partition }) => partition === one.partition)
  const before = records.slice(0, position.get(one.partition) ?? 0)
  return before.some(({ value }) => Buffer.from(value).includes(Buffer.from(one.bytes)))
}
