import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { archiveNext } from '../../../src/engine/archive/archiver.ts'
import type { MeasuringLoop } from '../../../src/engine/measuring/measuring.ts'
import { openMeasuring } from '../../../src/engine/measuring/measuring.ts'
import { openEmbeddedDedupe } from '../../../src/parts/dedupe/embedded/dedupe.ts'
import { archiveWriter } from '../../../src/parts/store/postgres/archive/archive.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Fingerprinter } from '../../../src/std/fingerprint.ts'
import { createFingerprinter } from '../../../src/std/fingerprint.ts'
import { day, formatInstant } from '../../../src/std/instant.ts'
import { memoryGroup } from '../../support/event-log/memory-group.ts'
import type { MemoryLog } from '../../support/event-log/memory-log.ts'
import { memoryLog } from '../../support/event-log/memory-log.ts'
import { plainMeasuring } from '../../support/measuring/counted-calls.ts'
import { indexedHere } from '../../support/measuring/indexed-here.ts'
import { until } from '../../support/servers/until.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'

const fingerprintKey = new Uint8Array(16).fill(7)
const real = createFingerprinter(fingerprintKey)
const plain = (id: string): string => id.replace(/^(twin of )+/, '')

/** Twins of an id share the first 64 bits of its fingerprint, and no more. */
const colliding: Fingerprinter = {
  ...real,
  fingerprints: (businessId, mode, ids) => {
    const own = real.fingerprints(businessId, mode, ids)
    const shared = real.fingerprints(businessId, mode, ids.map(plain))
    return own.map((word, at) => (at % 3 === 2 ? word : (shared[at] ?? 0)))
  },
}

describe('two events whose fingerprints share 64 bits', () => {
  let store: ScratchStore
  let scope: Scope
  let customerId: string
  let log: MemoryLog
  let loop: MeasuringLoop
  let close: () => Promise<void>
  let sent = 0

  beforeAll(async () => {
    store = await scratchStore()
    scope = await store.business()
    customerId = await store.customer(scope)
  })
  afterAll(() => store.drop())
  beforeEach(async () => {
    await store.db.query(sql`
      truncate batches, checkpoints, archive_blocks, archive_index, archive_checkpoints`)
    log = memoryLog(1)
    sent = 0
    await start()
  })
  afterEach(() => close())

  it('both count, and each of them once', async () => {
    expect(await counted(['a'])).toBe(1)
    expect(await counted(['twin of a'])).toBe(2)
    expect(await counted(['a'], ['twin of a'], ['twin of a'])).toBe(2)
  })

  it('both count in one slice and in one record, and each of them once', async () => {
    expect(await counted(['b', 'twin of b', 'b'], ['twin of b', 'twin of twin of b'])).toBe(3)
    expect(await counted(['twin of b', 'b', 'twin of twin of b'])).toBe(3)
  })

  it('both count when the first is archived, and when both are', async () => {
    expect(await counted(['other', 'c'], ['c'])).toBe(2)
    await archive()
    expect(await counted(['c'])).toBe(2)
    expect(await counted(['twin of c'], ['c'], ['twin of c'])).toBe(3)
    await archive()
    expect(await counted(['c', 'twin of c'], ['twin of twin of c'])).toBe(4)
  })

  async function start(): Promise<void> {
    const directory = mkdtempSync(join(tmpdir(), 'sluice-twins-'))
    const dedupe = await openEmbeddedDedupe({
      directory,
      partitions: 1,
      windowUs: day,
      port: { postMessage: () => undefined },
    })
    loop = openMeasuring({
      openGroup: async (handler) => memoryGroup(log, handler),
      reader: log,
      dedupe,
      store: store.measuring,
      meters: {
        catalogOf: async (scopes) =>
          scopes.map((of) => ({ catalog: { ...of, version: 1, meters: [] }, links: [] })),
      },
      fingerprintKey,
      ...plainMeasuring(colliding),
    })
    await loop.start()
    close = async () => {
      await loop.stop()
      await dedupe.close()
      rmSync(directory, { recursive: true, force: true })
    }
  }

  /** Sends a record for each list, and answers how many events count by then. */
  async function counted(...records: readonly (readonly string[])[]): Promise<number> {
    for (const ids of records) {
      const value = new TextEncoder().encode(ids.map((id) => `${lineOf(id)}\n`).join(''))
      log.append({ partition: 0, value, events: ids.length }, systemClock().now())
      sent += ids.length
    }
    const totals = async () => (await store.measuring.checkpoints())[0]?.totals
    await until('all measured', async () => (await totals())?.events === sent)
    return (await totals())?.unmatched ?? 0
  }

  function lineOf(id: string): string {
    const { businessId, mode } = scope
    return JSON.stringify({
      business_id: businessId,
      mode,
      event_id: id,
      customer_id: customerId,
      event_name: 'call',
      timestamp: formatInstant(systemClock().now()),
    })
  }

  async function archive(): Promise<void> {
    const writer = archiveWriter(store.db)
    for (let moved = true; moved; ) {
      const [position] = await writer.positions()
      if (position === undefined) return
      const step = await archiveNext(
        { archive: writer, reader: log, indexed: indexedHere },
        position,
      )
      moved = step.kind === 'moved'
    }
  }
})
