import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  assertEventLog,
  ensureInstallation,
  pinEventLog,
} from '../../../src/parts/store/postgres/schema/installation.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

describe('the event log that the books belong to', () => {
  let scratch: ScratchDatabase
  beforeAll(async () => {
    scratch = await scratchDatabase()
    await ensureInstallation(scratch.db)
  })
  afterAll(() => scratch.drop())

  it('is pinned by the first process, and another one is refused by name', async () => {
    const { db } = scratch
    await assertEventLog(db, 'embedded')
    await pinEventLog(db, { kind: 'kafka', identity: 'cluster one' })
    await pinEventLog(db, { kind: 'kafka', identity: 'cluster one' })
    await expect(pinEventLog(db, { kind: 'kafka', identity: 'cluster two' })).rejects.toThrow(
      'event log kafka:cluster one, and this one is kafka:cluster two',
    )
    await expect(pinEventLog(db, { kind: 'embedded', identity: 'x' })).rejects.toThrow(
      'an embedded log means one process',
    )
  })

  it('must be of the kind that a process without a log is set to', async () => {
    const { db } = scratch
    await assertEventLog(db, 'kafka')
    await expect(assertEventLog(db, 'embedded')).rejects.toThrow('set KAFKA_BROKERS')
  })
})
