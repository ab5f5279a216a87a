import { afterEach, beforeEach, expect, it } from 'vitest'
import { archiveNext } from '../../src/engine/archive/archiver.ts'
import type { ReadEventNeeds } from '../../src/operations/events/read-event.ts'
import { readEvent } from '../../src/operations/events/read-event.ts'
import { archiveWriter } from '../../src/parts/store/postgres/archive/archive.ts'
import { archiveReader } from '../../src/parts/store/postgres/archive/archive-view.ts'
import { formatInstant, instantOf, second } from '../../src/std/instant.ts'
import { indexedHere } from '../support/measuring/indexed-here.ts'
import { measuredLog, testIdentity, testPartitionOf } from '../support/measuring/measured-log.ts'
import type { ScratchDatabase } from '../support/store/database.ts'
import { scratchDatabase } from '../support/store/database.ts'

let scratch: ScratchDatabase
beforeEach(async () => {
  scratch = await scratchDatabase()
})
afterEach(() => scratch.drop())

const owner = { businessId: 'bus_1', mode: 'test' } as const

it('finds an event while what lies before it is archived and trimmed', async () => {
  const made = await twoMeasured()
  const writer = archiveWriter(scratch.db)
  let overtaken = false
  const found = await readEvent(portsOf({ ...made.log, read: overtakenOnce }), owner, 'second')
  expect([overtaken, found?.event.eventId]).toEqual([true, 'second'])

  async function overtakenOnce(...asked: Parameters<typeof made.log.read>) {
    if (!overtaken) {
      overtaken = true
      const [position] = await writer.positions()
      if (position === undefined) throw new Error('Nothing was measured.')
      const first = { ...position, measured: 1 }
      const step = await archiveNext(
        { archive: writer, reader: made.log, indexed: indexedHere },
        first,
      )
      expect(step.kind).toBe('moved')
      await made.log.trim(0, 1)
    }
    return made.log.read(...asked)
  }
})

it('never says that a measured event does not exist, when its record cannot be read', async () => {
  const made = await twoMeasured()
  const ports = portsOf({ ...made.log, read: async () => [] })
  await expect(readEvent(ports, owner, 'second')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(await readEvent(ports, owner, 'third')).toBeNull()
})

async function twoMeasured() {
  const made = measuredLog(scratch.db, 1)
  const noon = 1_800_000_000 * second
  for (const [index, id] of ['first', 'second'].entries()) {
    const at = instantOf(noon + index * second)
    const whose = { business_id: 'bus_1', mode: 'test' as const, customer_id: 'cus_1' }
    made.append([{ ...whose, event_id: id, event_name: 'call', timestamp: formatInstant(at) }], at)
    await made.measure(0)
  }
  return made
}

const portsOf = (reader: ReadEventNeeds['reader']): ReadEventNeeds => ({
  archive: archiveReader(scratch.db),
  reader,
  partitions: 1,
  identity: testIdentity,
  partitionOf: testPartitionOf,
  eventRetention: 1,
})
