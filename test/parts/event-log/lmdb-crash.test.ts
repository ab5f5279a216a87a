import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLmdbEventLog } from '../../../src/parts/event-log/lmdb/event-log.ts'
import { openLmdbLogReader } from '../../../src/parts/event-log/lmdb/reader.ts'
import { createSharedLog } from '../../../src/parts/event-log/lmdb/shared.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { recordOf } from '../../support/event-log/records.ts'
import { linesOf, startChild } from '../../support/process/child.ts'
import { timesOf } from '../../support/run/long.ts'
import { quiet } from '../../support/runtime/logger.ts'

const partitions = 4
const rounds = timesOf('CRASH_ROUNDS', { short: 4, long: 10 })

describe('the embedded event log', () => {
  let directory: string

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'event-log-crash-'))
  })

  afterEach(() => rm(directory, { recursive: true }))

  it('has every acked record, byte for byte and without holes, after kill -9', async () => {
    const acked = new Map<number, number>()
    for (let round = 0; round < rounds; round += 1) {
      const child = startChild('event-log/log-child', [
        directory,
        `${partitions}`,
        `${round * 1_000_000}`,
      ])
      const lines = await linesOf(child, randomInt(120))
      for (const [seed = 0, offset = 0] of lines.map((line) => line.split(' ').map(Number))) {
        acked.set(seed, offset)
      }
      expect(lines.length).toBeGreaterThan(0)
      await expectAll(acked)
    }
    expect(acked.size).toBeGreaterThan(rounds)
  })

  it('refuses what the disk does not take, and has all that it acked', async () => {
    const acked = new Map<number, number>()
    const child = startChild('event-log/log-child', [directory, `${partitions}`, '0'], 8_000)
    const lines = await linesOf(child, null)
    for (const line of lines.filter((said) => !said.startsWith('refused'))) {
      const [seed = 0, offset = 0] = line.split(' ').map(Number)
      acked.set(seed, offset)
    }
    expect(new Set(lines.filter((said) => said.startsWith('refused')))).toEqual(
      new Set(['refused UNAVAILABLE']),
    )
    expect(acked.size).toBeGreaterThan(10)
    await expectAll(acked)
  })

  it('tells its callers when the disk hangs, and goes on when it is back', async () => {
    const log = await openLmdbEventLog({
      directory,
      partitions,
      shared: createSharedLog(partitions),
      budgetBytes: 1e9,
      diskReserveBytes: 0,
      clock: systemClock(),
      logger: quiet,
      stallMs: 100,
    })
    // A second writer, of partition 0 alone, stopped in the middle of a commit: it holds up ours as
    // a lost disk would.
    const child = startChild('event-log/log-child', [
      directory,
      `${partitions}`,
      '0',
      `${partitions}`,
    ])
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    child.stdout?.resume()
    const outcome = () =>
      log.append([recordOf(1, partitions)]).then(
        () => 'acked',
        (error: Error) => error.message,
      )
    // Once may be the disk's own slowness, where the machine has much to do.
    let waited = 0
    for (let tries = 0; tries < 200 && waited < 3; tries += 1) {
      child.kill('SIGCONT')
      await new Promise((resolve) => setTimeout(resolve, randomInt(10)))
      child.kill('SIGSTOP')
      for (let said = 'waits for its disk'; said !== 'acked' && waited < 3; ) {
        said = await outcome()
        expect(said).toMatch(/^acked$|waits for its disk/)
        waited = said === 'acked' ? 0 : waited + 1
      }
    }
    expect(waited).toBe(3)
    child.kill('SIGKILL')
    await expect.poll(outcome).toBe('acked')
    await log.close()
  })

  async function expectAll(acked: ReadonlyMap<number, number>): Promise<void> {
    const shared = createSharedLog(partitions)
    const log = await openLmdbEventLog({
      directory,
      partitions,
      shared,
      budgetBytes: 1e9,
      diskReserveBytes: 0,
      clock: systemClock(),
      logger: quiet,
    })
    const reader = await openLmdbLogReader({ directory, shared })
    const found = new Map<string, { value: Uint8Array; events: number }>()
    for (let partition = 0; partition < partitions; partition += 1) {
      const { first, end } = await reader.bounds(partition)
      const records = await reader.read(partition, 0, Number.MAX_SAFE_INTEGER)
      expect(first).toBe(0)
      expect(records.map(({ offset }) => offset)).toEqual([...Array(end).keys()])
      for (const record of records) found.set(`${partition}:${record.offset}`, record)
    }
    for (const [seed, offset] of acked) {
      const { partition, value, events } = recordOf(seed, partitions)
      const record = found.get(`${partition}:${offset}`)
      expect(record?.events).toBe(events)
      expect(Buffer.compare(record?.value ?? new Uint8Array(), value)).toBe(0)
    }
    const [offset] = await log.append([recordOf(7, partitions)])
    expect(offset).toBe((await reader.bounds(7 % partitions)).end - 1)
    await reader.close()
    await log.close()
  }
})
