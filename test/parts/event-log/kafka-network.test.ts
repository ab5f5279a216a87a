import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EventLog, LogGroup, LogReader } from '../../../src/parts/event-log/port.ts'
import { kafkaLog } from '../../support/event-log/kafka-log.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestKafka } from '../../support/servers/kafka.ts'
import { kafkaMissing, startKafka } from '../../support/servers/kafka.ts'
import type { TestProxy } from '../../support/servers/proxy.ts'

describeWith(kafkaMissing, 'the event log on Kafka over a bad network', () => {
  let kafka: TestKafka
  let proxy: TestProxy
  let open: { log: EventLog; reader: LogReader; group: LogGroup }
  beforeAll(async () => {
    kafka = await startKafka({ proxied: true })
    proxy = kafka.proxies[0] as TestProxy
    const { openLog, openReader, openGroup } = await kafkaLog(kafka)
    const group = await openGroup({ taken: async () => 0, lost: () => undefined })
    open = { log: await openLog(), reader: await openReader(), group }
  })
  afterAll(async () => {
    for (const one of [open.group, open.reader, open.log]) await one.close()
    await kafka.stop()
  })

  const troubles: readonly (readonly [string, () => Promise<void>])[] = [
    ['are cut, over and over', async () => cutting(20)],
    ['are refused for a while', () => during((on) => proxy.refuse(on))],
    ['carry nothing for a while', () => during((on) => proxy.stall(on))],
  ]

  it.each(troubles)('keeps and delivers what it acked while connections %s', async (_, trouble) => {
    const acked = new Map<number, string>()
    let over = false
    const appending = (async () => {
      for (let round = 0; !over || acked.size === 0; round += 1) {
        const text = `${_} ${round}`
        const record = { partition: 0, value: Buffer.from(text), events: 1 }
        const offsets = await open.log.append([record]).catch(() => null)
        if (offsets === null) await sleep(20)
        else acked.set(offsets[0] ?? -1, text)
      }
    })()
    await trouble()
    // And it takes records again.
    const before = acked.size
    while (acked.size < before + 20) await sleep(20)
    over = true
    await appending
    const kept = await open.reader.read(0, 0, 100_000_000)
    for (const [offset, text] of acked) {
      expect(Buffer.from(kept[offset]?.value ?? []).toString()).toBe(text)
    }
    const last = Math.max(...acked.keys())
    for (let reached = -1; reached < last; )
      for (const { records } of await open.group.poll(1_000_000, 500)) {
        // Without holes: after a rejoin it begins anew.
        expect(records[0]?.offset).toBeLessThanOrEqual(Math.max(reached + 1, seen + 1))
        reached = records.at(-1)?.offset ?? reached
        seen = Math.max(seen, reached)
      }
  })

  let seen = -1

  async function cutting(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      proxy.cut()
      await sleep(50)
    }
  }

  /** Longer than an append may take. */
  async function during(set: (on: boolean) => void): Promise<void> {
    set(true)
    await sleep(6_000)
    set(false)
    if (proxy.connections > 0) proxy.cut()
  }
})
