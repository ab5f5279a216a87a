import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MeasuringLoop, MeasuringNeeds } from '../../../src/engine/measuring/measuring.ts'
import { openMeasuring } from '../../../src/engine/measuring/measuring.ts'
import { Fault } from '../../../src/faults.ts'
import { openEmbeddedDedupe } from '../../../src/parts/dedupe/embedded/dedupe.ts'
import type { Measuring as Store } from '../../../src/parts/store/measuring.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createFingerprinter } from '../../../src/std/fingerprint.ts'
import {
  day,
  formatInstant,
  hour,
  after as later,
  minute,
  second,
} from '../../../src/std/instant.ts'
import type { MemoryGroup } from '../../support/event-log/memory-group.ts'
import { memoryGroup } from '../../support/event-log/memory-group.ts'
import type { MemoryLog } from '../../support/event-log/memory-log.ts'
import { memoryLog } from '../../support/event-log/memory-log.ts'
import { callsCatalog, plainMeasuring } from '../../support/measuring/counted-calls.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'

const fingerprintKey = new Uint8Array(16).fill(7)
const away = () => new Fault('UNAVAILABLE', 'The store is away.')

describe('measuring', () => {
  let store: ScratchStore
  let scope: Scope
  let customerId: string
  let entitlementId: string
  let directory: string
  let log: MemoryLog
  let group: MemoryGroup
  const running: { loop: MeasuringLoop; close: () => Promise<void> }[] = []

  beforeAll(async () => {
    store = await scratchStore()
    scope = await store.business()
    customerId = await store.customer(scope)
    entitlementId = await store.entitlement(scope)
  })
  afterAll(() => store.drop())
  beforeEach(async () => {
    await store.db.query(sql`truncate batches, checkpoints, quarantine, usage, unsettled`)
    directory = mkdtempSync(join(tmpdir(), 'sluice-measuring-'))
    log = memoryLog(2)
  })
  afterEach(async () => {
    for (const { loop, close } of running.splice(0)) {
      await loop.stop()
      await close()
    }
    rmSync(directory, { recursive: true, force: true })
  })

  it('counts once what was committed and whose answer was lost, and reads on in order', async () => {
    const commits: Store['commit'] = async (measured) => {
      const answer = await store.measuring.commit(measured)
      lost += 1
      if (lost % 3 !== 0) throw away()
      return answer
    }
    let lost = 0
    for (let number = 0; number < 60; number += 1) append(number % 2, `event-${number}`)
    await start({ store: { ...store.measuring, commit: commits } })
    await until(async () => (await measured()).events === 60)
    expect(await measured()).toEqual({ events: 60, billed: 60, duplicates: 0 })
    expect(await counted()).toBe(60)
    // After each lost answer, what was polled meanwhile may be polled once more.
    expect(group.delivered).toBeLessThan(60 * 3)
  })

  it('stops while the store is away, and the next one counts what that left', async () => {
    await start({
      store: {
        ...store.measuring,
        commit: async () => {
          waiting = true
          throw away()
        },
      },
    })
    let waiting = false
    append(0, 'a')
    await until(async () => waiting)
    await stop()
    await start({ store: store.measuring })
    await until(async () => (await measured()).events === 1)
    expect(await counted()).toBe(1)
  })

  it('takes up what it has measured before, also from a dedupe that has lost everything', async () => {
    await start({ store: store.measuring })
    append(0, 'a')
    append(0, 'b')
    await until(async () => (await measured()).events === 2)
    await stop()
    rmSync(directory, { recursive: true, force: true })
    append(0, 'a')
    append(0, 'c')
    await start({ store: store.measuring })
    await until(async () => (await measured()).events === 4)
    expect(await measured()).toEqual({ events: 4, billed: 3, duplicates: 1 })
    expect(await counted()).toBe(3)
  })

  it('heals across the edge of the window where log time has stepped back', async () => {
    const now = systemClock().now()
    await start({ store: store.measuring })
    // The second record of these is before the window's edge, and the first is not.
    for (const [index, age] of [day - second, day + second, 0].entries()) {
      append(0, `event-${index}`, later(now, -age))
      await until(async () => (await measured()).events === index + 1)
    }
    await stop()
    rmSync(directory, { recursive: true, force: true })
    append(0, 'event-2')
    append(0, 'another')
    await start({ store: store.measuring })
    await until(async () => (await measured()).events === 5)
    expect(await measured()).toMatchObject({ billed: 4, duplicates: 1 })
  })

  it('counts an id once whatever the clock of the log does', async () => {
    const now = systemClock().now()
    const steps = [0, 5 * hour, 3 * day, -50 * hour, 120 * day, second, -120 * day, 0]
    await start({ store: store.measuring })
    let sent = 0
    for (const [index, step] of steps.entries()) {
      for (const id of ['always', `event-${index}`]) append(0, id, later(now, step))
      for (let earlier = 0; earlier < index; earlier += 1) {
        append(0, `event-${earlier}`, later(now, step))
      }
      sent += 2 + index
      await until(async () => (await measured()).events === sent)
      expect(await measured()).toMatchObject({ billed: 2 + index })
    }
    // Healing does not go by it either.
    await stop()
    rmSync(directory, { recursive: true, force: true })
    for (const step of steps) append(0, 'always', later(now, step))
    append(0, 'event-2')
    await start({ store: store.measuring })
    await until(async () => (await measured()).events === sent + steps.length + 1)
    expect(await measured()).toMatchObject({ billed: 1 + steps.length })
  })

  it('knows an id for a window of running time, and no longer than one and a half', async () => {
    let [ran, step] = [0, 0]
    const monotonic = () => {
      ran += step
      return ran
    }
    const window = 10 * minute
    await start({ store: store.measuring, window, monotonic })
    append(0, 'a')
    await until(async () => (await measured()).events === 1)
    await pass(window)
    append(0, 'a')
    await until(async () => (await measured()).events === 2)
    expect(await measured()).toMatchObject({ billed: 1 })
    // The first mark after it moves time on in dedupe; the next record finds it gone.
    await pass(window / 2 + minute)
    append(0, 'b')
    await until(async () => (await measured()).events === 3)
    append(0, 'a')
    await until(async () => (await measured()).events === 4)
    expect(await measured()).toMatchObject({ billed: 3 })

    async function pass(length: number): Promise<void> {
      const from = await stored()
      step = second
      await until(async () => (await stored()) >= from + length)
      step = 0
    }

    async function stored(): Promise<number> {
      return (await store.measuring.checkpoints())[0]?.ran ?? 0
    }
  })

  it('commits next all that came while it committed, not a part of it', async () => {
    let [sent, commits] = [0, 0]
    const send = () => append(0, `event-${++sent}`)
    // How much of what had come by then was missing from each commit.
    const missing: number[] = []
    const commit: Store['commit'] = async (measured) => {
      commits += 1
      missing.push(sent - (measured.slices.at(-1)?.end ?? 0))
      if (commits <= 12) {
        send()
        setTimeout(send, 20)
      }
      await new Promise((done) => setTimeout(done, 150))
      return store.measuring.commit(measured)
    }
    await start({ store: { ...store.measuring, commit } })
    send()
    await until(async () => (await measured()).events === 25)
    // The first ones tell how long a commit takes. A machine that stalls may spoil some.
    expect(missing.slice(6, 12).filter((events) => events === 0).length).toBeGreaterThanOrEqual(3)
  })

  it('still counts a partition that is halted among its own, and goes on with it', async () => {
    append(0, 'first')
    append(1, 'other')
    let ran = 0
    const { partitions } = await start({ store: store.measuring, monotonic: () => ran })
    await until(async () => (await measured()).events === 2)
    await store.db.query(sql`
      update checkpoints set halted = 'by hand', digest = digest || decode('00', 'hex')
      where partition = 0`)
    append(0, 'second')
    await until(async () => partitions.get(0) === undefined)
    expect([...partitions.given()].sort()).toEqual([0, 1])
    await store.db.query(sql`
      update checkpoints set halted = null, digest = substring(digest from 1 for 16)`)
    ran += minute
    await until(async () => (await measured()).events === 3)
    expect(partitions.held()).toHaveLength(2)
  })

  async function start(
    needs: Pick<MeasuringNeeds, 'store'> & Partial<MeasuringNeeds>,
  ): Promise<MeasuringLoop> {
    const dedupe = await openEmbeddedDedupe({
      directory,
      partitions: log.partitions,
      windowUs: needs.window ?? day,
      port: { postMessage: () => undefined },
    })
    const loop = openMeasuring({
      openGroup: async (handler) => {
        group = memoryGroup(log, handler)
        return group
      },
      reader: log,
      dedupe,
      meters: { catalogOf: async (scopes) => scopes.map((of) => callsCatalog(of, entitlementId)) },
      fingerprintKey,
      ...plainMeasuring(createFingerprinter(fingerprintKey)),
      ...needs,
    })
    running.push({ loop, close: () => dedupe.close() })
    await loop.start()
    return loop
  }

  async function stop(): Promise<void> {
    const last = running.pop()
    await last?.loop.stop()
    await last?.close()
  }

  function append(partition: number, eventId: string, at = systemClock().now()): void {
    const line = {
      business_id: scope.businessId,
      mode: scope.mode,
      event_id: eventId,
      customer_id: customerId,
      event_name: 'call',
      timestamp: formatInstant(at),
    }
    const value = new TextEncoder().encode(`${JSON.stringify(line)}\n`)
    log.append({ partition, value, events: 1 }, at)
  }

  async function measured() {
    const [row] = await store.db.query<{ events: number; billed: number; duplicates: number }>(sql`
      select coalesce(sum(events), 0)::bigint as events, coalesce(sum(billed), 0)::bigint as billed,
        coalesce(sum(duplicates), 0)::bigint as duplicates from checkpoints`)
    return row ?? { events: 0, billed: 0, duplicates: 0 }
  }

  async function counted(): Promise<number> {
    const [row] = await store.db.query<{ value: string }>(
      sql`select sum(value) as value from usage`,
    )
    return Number(row?.value ?? 0)
  }
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((done) => setTimeout(done, 10))
}
