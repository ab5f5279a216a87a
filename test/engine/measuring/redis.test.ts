import { afterEach, beforeEach, expect, it } from 'vitest'
import type { MeasuringLoop } from '../../../src/engine/measuring/measuring.ts'
import { openMeasuring } from '../../../src/engine/measuring/measuring.ts'
import type { Dedupe } from '../../../src/parts/dedupe/port.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createFingerprinter } from '../../../src/std/fingerprint.ts'
import { after, day, formatInstant, hour } from '../../../src/std/instant.ts'
import type { OpenedDedupe } from '../../support/dedupe/redis-dedupe.ts'
import { openOn } from '../../support/dedupe/redis-dedupe.ts'
import { memoryGroup } from '../../support/event-log/memory-group.ts'
import type { MemoryLog } from '../../support/event-log/memory-log.ts'
import { memoryLog } from '../../support/event-log/memory-log.ts'
import { callsCatalog, plainMeasuring } from '../../support/measuring/counted-calls.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestRedis } from '../../support/servers/redis.ts'
import { redisMissing, startRedis } from '../../support/servers/redis.ts'
import { until } from '../../support/servers/until.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'

const fingerprintKey = new Uint8Array(16).fill(7)

describeWith(redisMissing, 'measuring with its dedupe in Redis', () => {
  let server: TestRedis
  let store: ScratchStore
  let scope: Scope
  let customerId: string
  let entitlementId: string
  let log: MemoryLog
  let opened: OpenedDedupe
  let loop: MeasuringLoop
  let [sent, shift] = [0, 0]

  beforeEach(async () => {
    server = await startRedis()
    store = await scratchStore()
    scope = await store.business()
    customerId = await store.customer(scope)
    entitlementId = await store.entitlement(scope)
    log = memoryLog(2)
    sent = 0
    shift = 0
    opened = await openOn(server, { partitions: 2 })
    loop = measuringOn(opened.dedupe)
    await loop.start()
  })
  afterEach(async () => {
    await loop.stop()
    await opened.close()
    await store.drop()
    await server.stop()
  })

  it('bills nothing twice and loses nothing when Redis forgets everything', async () => {
    await send(0, 20)
    await server.cli('FLUSHALL')
    await send(10, 20)
    await server.cli('FLUSHALL')
    await send(0, 40)
    expect(await counted()).toBe(40)
  })

  it('counts an id once whatever the clock of the log does', async () => {
    const steps = [0, 5 * hour, 3 * day, -50 * hour, 120 * day, -120 * day, 0]
    for (const [index, step] of steps.entries()) {
      shift = step
      await send(0, 4 + index)
      expect(await counted()).toBe(4 + index)
    }
    await server.cli('FLUSHALL')
    await send(0, 4 + steps.length)
    expect(await counted()).toBe(4 + steps.length)
  })

  it('waits while Redis is away, and goes on by itself when it is back, empty', async () => {
    await send(0, 20)
    await server.kill()
    const waiting = send(10, 20)
    await new Promise((done) => setTimeout(done, 300))
    expect(await counted()).toBe(20)
    await server.start()
    await waiting
    expect(await counted()).toBe(30)
  })

  it('heals from where a Redis of older data is synced', async () => {
    await send(0, 20)
    await server.cli('SAVE')
    await send(20, 20)
    await server.kill()
    await server.start()
    await send(0, 50)
    expect(await counted()).toBe(50)
    // Marked a moment after the commit.
    for (const partition of [0, 1]) {
      await until('a mark', async () => {
        const { namespace, nextOffset } = await checkpoint(partition)
        const none = new Uint32Array(0)
        const answer = await opened.dedupe.check(partition, namespace, nextOffset, none)
        return answer.kind === 'answer'
      })
    }
  })

  it('heals when Redis was restored to a copy that knows more than the store', async () => {
    await send(0, 20)
    for (const partition of [0, 1]) {
      const { namespace, nextOffset } = await checkpoint(partition)
      const lost = new Uint32Array(3).fill(partition)
      const run = { start: nextOffset, end: nextOffset + 3, ran: day, ids: lost }
      // As soon as what was committed is marked.
      await until('a mark', () => opened.dedupe.mark(partition, namespace, run))
    }
    await send(10, 20)
    expect(await counted()).toBe(30)
  })

  /** Events `from` … in both partitions by turns, and waits until all are measured. */
  async function send(from: number, count: number): Promise<void> {
    for (let number = from; number < from + count; number += 1) append(number)
    sent += count
    await until('all measured', async () => (await measured()) === sent)
  }

  function append(number: number): void {
    const at = systemClock().now()
    const line = {
      business_id: scope.businessId,
      mode: scope.mode,
      event_id: `event-${number}`,
      customer_id: customerId,
      event_name: 'call',
      timestamp: formatInstant(at),
    }
    const value = new TextEncoder().encode(`${JSON.stringify(line)}\n`)
    log.append({ partition: number % 2, value, events: 1 }, after(at, shift))
  }

  function measuringOn(dedupe: Dedupe): MeasuringLoop {
    return openMeasuring({
      openGroup: async (handler) => memoryGroup(log, handler),
      reader: log,
      dedupe,
      store: store.measuring,
      meters: { catalogOf: async (scopes) => scopes.map((of) => callsCatalog(of, entitlementId)) },
      fingerprintKey,
      ...plainMeasuring(createFingerprinter(fingerprintKey)),
    })
  }

  async function checkpoint(partition: number) {
    const found = (await store.measuring.checkpoints()).find((one) => one.partition === partition)
    if (found === undefined) throw new Error(`Partition ${partition} was never taken.`)
    return found
  }

  async function measured(): Promise<number> {
    const [row] = await store.db.query<{ events: number }>(
      sql`select coalesce(sum(events), 0)::bigint as events from checkpoints`,
    )
    return Number(row?.events ?? 0)
  }

  async function counted(): Promise<number> {
    const [row] = await store.db.query<{ value: string }>(
      sql`select sum(value) as value from usage`,
    )
    return Number(row?.value ?? 0)
  }
})
