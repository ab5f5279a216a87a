import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { EventLog } from '../../../src/parts/event-log/port.ts'
import { millisecond } from '../../../src/std/instant.ts'
import type { KafkaLog } from '../../support/event-log/kafka-log.ts'
import { administer, kafkaLog, partitions } from '../../support/event-log/kafka-log.ts'
import { quiet } from '../../support/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestKafka } from '../../support/servers/kafka.ts'
import { kafkaMissing, startKafka } from '../../support/servers/kafka.ts'

describeWith(kafkaMissing, 'the event log on three brokers', () => {
  let kafka: TestKafka
  let place: KafkaLog
  let log: EventLog
  beforeAll(async () => {
    kafka = await startKafka({ brokers: 3 })
  })
  afterAll(() => kafka.stop())
  beforeEach(async () => {
    // One that stood still comes back a moment later: topics would get a replica less.
    const brokers = async () =>
      administer(kafka.brokers, async (admin) => (await admin.describeCluster()).brokers.length)
    await expect.poll(brokers).toBe(3)
    place = await kafkaLog(kafka, quiet)
    log = await place.openLog()
  })
  afterEach(async () => {
    await log.close()
    await place.remove()
  })

  it('loses nothing that it acked while a broker is killed, and goes on without it', async () => {
    const acked = await appendingWhile(async (ackedSoFar) => {
      await kafka.kill(0)
      const before = ackedSoFar()
      // Every partition has found its next leader, and takes records again.
      while (ackedSoFar() < before + 200) await sleep(20)
    })
    await expectAll(acked)
    await kafka.start(0)
  })

  it('loses nothing while a broker hangs until others have taken its place', async () => {
    const acked = await appendingWhile(async (ackedSoFar) => {
      await kafka.freeze(1)
      const before = ackedSoFar()
      while (ackedSoFar() < before + 200) await sleep(20)
      await kafka.thaw(1)
    })
    await expectAll(acked)
  })

  it('delivers to a group over the death of a leader', async () => {
    const group = await place.openGroup({ taken: async () => 0, lost: () => undefined })
    const seen = new Set<string>()
    let over = false
    const reading = (async () => {
      while (!over)
        for (const { records } of await group.poll(1_000_000, 200))
          for (const { value } of records) seen.add(Buffer.from(value).toString())
    })()
    const acked = await appendingWhile(async (ackedSoFar) => {
      while (seen.size === 0) await sleep(20)
      await kafka.kill(2)
      const before = ackedSoFar()
      while (ackedSoFar() < before + 200) await sleep(20)
    })
    while (acked.some(({ text }) => !seen.has(text))) await sleep(50)
    over = true
    await reading
    await group.close()
    await kafka.start(2)
  })

  interface Acked {
    readonly partition: number
    readonly offset: number
    readonly text: string
  }

  /** Appends, to all partitions at once and again where it is refused, until `work` is done. */
  async function appendingWhile(
    work: (ackedSoFar: () => number) => Promise<void>,
  ): Promise<readonly Acked[]> {
    const acked: Acked[] = []
    let over = false
    const appending = (async () => {
      for (let round = 0; !over; round += 1) {
        const records = Array.from({ length: partitions }, (_, partition) => {
          const text = `${round}-${partition}`
          return { partition, value: Buffer.from(text), events: 1, text }
        })
        const offsets = await log.append(records).catch(() => null)
        if (offsets === null) await sleep(50)
        offsets?.forEach((offset, partition) => {
          acked.push({ partition, offset, text: records[partition]?.text ?? '' })
        })
      }
    })()
    while (acked.length === 0) await sleep(20)
    await work(() => acked.length)
    over = true
    await appending
    return acked
  }

  /** A broker that stood still may show less for a while, but never anything else. */
  async function expectAll(acked: readonly Acked[]): Promise<void> {
    const reader = await place.openReader()
    const timeout = reader.lagMax / millisecond
    for (let partition = 0; partition < partitions; partition += 1) {
      const expected = new Map(
        acked
          .filter((each) => each.partition === partition)
          .map(({ offset, text }) => [offset, text]),
      )
      const missing = async () => {
        const records = await reader.read(partition, 0, 10_000_000)
        const found = new Map(
          records.map(({ offset, value }) => [offset, Buffer.from(value).toString()]),
        )
        const differs = ([offset, text]: [number, string]) => (found.get(offset) ?? text) !== text
        expect([...expected].filter(differs)).toEqual([])
        return [...expected].filter(([offset]) => !found.has(offset))
      }
      await expect.poll(missing, { timeout }).toEqual([])
    }
    await reader.close()
  }
})
