import { describe, expect, it } from 'vitest'
import { watchRetention } from '../../src/engine/log-retention.ts'
import type { ArchivePosition } from '../../src/parts/store/archive.ts'
import type { Instant } from '../../src/std/instant.ts'
import { day, hour, instantOf } from '../../src/std/instant.ts'
import { memoryLog } from '../support/event-log/memory-log.ts'
import { rememberingLogger } from '../support/runtime/logger.ts'

const noon = instantOf(1_790_000_000_000_000)
const ago = (span: number): Instant => instantOf(noon - span)

describe('events that the log will delete', () => {
  it('are an alarm once half of their life is over and measuring needs them', async () => {
    const watch = await looked({ age: 4 * day, measured: 0, archived: 0 })
    expect(watch.overdue).toEqual({ measuring: 1, archive: 1 })
    expect(watch.told).toEqual([
      { level: 'error', fields: expect.objectContaining({ step: 'measuring', partition: 0 }) },
      { level: 'error', fields: expect.objectContaining({ step: 'archive', partition: 0 }) },
    ])
    expect(watch.told[0]?.fields).toMatchObject({
      ageSeconds: (4 * 24 + 2) * 3_600,
      keptSeconds: 7 * 24 * 3_600,
    })
    expect(watch.check).toMatchObject({
      state: 'degraded',
      reason: expect.stringContaining('measuring'),
    })
  })

  it('are one for the archive alone, when only that needs them', async () => {
    const watch = await looked({ age: 4 * day, measured: 2, archived: 1 })
    expect(watch.overdue).toEqual({ measuring: 0, archive: 1 })
    expect(watch.check).toMatchObject({ reason: expect.stringContaining('archive') })
  })

  it('are none while they are young, or needed by nobody', async () => {
    for (const calm of [
      { age: 3 * day, measured: 0, archived: 0 },
      { age: 6 * day, measured: 2, archived: 2 },
    ]) {
      const watch = await looked(calm)
      expect(watch.overdue).toEqual({ measuring: 0, archive: 0 })
      expect(watch.told).toEqual([])
      expect(watch.check).toMatchObject({ state: 'ok' })
    }
  })
})

/** One look at a partition with two records that are two hours apart, the younger of this age. */
async function looked(is: { age: number; measured: number; archived: number }) {
  const log = memoryLog(1)
  const times = [ago(is.age + 2 * hour), ago(is.age)]
  for (const at of times) log.append({ partition: 0, value: new Uint8Array(8), events: 1 }, at)
  const reached = (next: number) => times[next - 1] ?? instantOf(0)
  const position: ArchivePosition = {
    partition: 0,
    measured: is.measured,
    measuredAt: reached(is.measured),
    archived: is.archived === 0 ? null : is.archived,
    archivedAt: reached(is.archived),
  }
  const logger = rememberingLogger()
  const overdue: Record<string, number> = {}
  const both = new Promise<void>((done) => {
    const watch = watchRetention({
      archive: { positions: async () => [position] },
      reader: log,
      retention: 7 * day,
      clock: { now: () => noon },
      logger,
      overdue: (step, partitions) => {
        overdue[step] = partitions
        if (step === 'archive') setImmediate(() => void watch.stop().then(done))
      },
    })
    checked = watch.check
    watch.start()
  })
  await both
  const told = logger.told.map(({ level, fields }) => ({ level, fields }))
  return { overdue, told, check: checked() }
}

let checked: ReturnType<typeof watchRetention>['check']
