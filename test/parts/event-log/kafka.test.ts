import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import { limits } from '../../../src/limits.ts'
import type { EventLog } from '../../../src/parts/event-log/port.ts'
import type { KafkaLog } from '../../support/event-log/kafka-log.ts'
import { administer, kafkaLog } from '../../support/event-log/kafka-log.ts'
import { rememberingLogger } from '../../support/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestKafka } from '../../support/servers/kafka.ts'
import { kafkaMissing, startKafka } from '../../support/servers/kafka.ts'
import { onPath, run } from '../../support/servers/programs.ts'

describeWith(kafkaMissing, 'the event log on Kafka', () => {
  let kafka: TestKafka
  let place: KafkaLog
  let log: EventLog
  const logger = rememberingLogger()
  beforeAll(async () => {
    kafka = await startKafka()
  })
  afterAll(() => kafka.stop())
  beforeEach(async () => {
    place = await kafkaLog(kafka, logger)
    log = await place.openLog()
  })
  afterEach(async () => {
    await log.close()
    await place.remove()
  })

  it.runIf(onPath('kcat') !== null)('can be read with any client [machines#the-log]', async () => {
    const lines = '{"event_id":"a"}\n{"event_id":"b"}\n'
    await log.append([{ partition: 3, value: Buffer.from(lines), events: 2 }])
    const read = ['-C', '-b', kafka.brokers.join(), '-t', 'usage.events', '-o', 'beginning', '-e']
    const found = await run(['kcat', ...read, '-q', '-f', '%p %h %s'])
    expect(found).toBe(`3 version=1,count=2 ${lines}`)
  })

  it('refuses while the broker hangs, and goes on when it answers again', async () => {
    await log.append([small])
    await kafka.freeze(0)
    try {
      const first = await log.append([small]).catch((error: unknown) => error)
      const second = await log.append([small]).catch((error: unknown) => error)
      for (const refusal of [first, second]) {
        expect(refusal).toBeInstanceOf(Fault)
        expect(refusal).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 })
      }
    } finally {
      await kafka.thaw(0)
    }
    await appended(small)
  })

  it('goes on after the broker was killed and came back, with all that was acked', async () => {
    await log.append([small, small])
    await kafka.kill(0)
    await expect(log.append([small])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await kafka.start(0)
    const [offset = 0] = await appended(small)
    expect(offset).toBeGreaterThanOrEqual(2)
    const reader = await place.openReader()
    expect(await reader.read(0, 0, 1_000)).toHaveLength(offset + 1)
    await reader.close()
  })

  it('refuses a record that is too large, for good, and takes what comes after', async () => {
    const large = { ...small, value: Buffer.alloc(limits.kafkaBatchBytesMax) }
    await expect(log.append([large])).rejects.toMatchObject({ code: 'REQUEST_TOO_LARGE' })
    await administer(kafka.brokers, (admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: 2,
            name: 'usage.events',
            configEntries: [
              { name: 'max.message.bytes', value: '100000' },
              { name: 'message.timestamp.type', value: 'LogAppendTime' },
            ],
          },
        ],
      }),
    )
    const middle = { ...small, value: Buffer.alloc(70_000, 'x') }
    const over = { ...small, value: Buffer.alloc(200_000, 'x') }
    // The broker hears of its setting a moment later.
    const elsewhere = () =>
      log.append([{ ...over, partition: 1 }]).catch((error: unknown) => (error as Fault).code)
    await expect.poll(elsewhere).toBe('REQUEST_TOO_LARGE')
    // Together they fit one batch of ours, and none that the topic takes by now.
    expect(await log.append([middle, middle, middle, middle])).toEqual([0, 1, 2, 3])
    await expect(log.append([over])).rejects.toMatchObject({ code: 'REQUEST_TOO_LARGE' })
    expect(await log.append([middle])).toEqual([4])
  })

  it('refuses what is past its budget, before anything is written', async () => {
    const tight = await place.openLog(100_000)
    const middle = { ...small, value: Buffer.alloc(60_000, 'x') }
    const both = await Promise.allSettled([tight.append([middle]), tight.append([middle])])
    expect(both[0]).toMatchObject({ status: 'fulfilled', value: [0] })
    expect(both[1]).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
    expect(await tight.append([middle])).toEqual([1])
    await tight.close()
  })

  it('has another identity when its topic was made again, and those who had it stop', async () => {
    const reader = await place.openReader()
    await log.append([small])
    await place.remove()
    const again = await kafkaLog(kafka, logger)
    const other = await again.openLog()
    expect(other.identity).not.toBe(log.identity)
    await other.append([small, small, small])
    // A reader of the old topic does not take the new one's records for its own.
    while (
      !(await reader.read(0, 0, 1_000).then(
        () => false,
        () => true,
      ))
    )
      await sleep(100)
    let refusal: unknown
    while (!String(refusal).includes('made again')) {
      await sleep(100)
      refusal = await log.append([small]).catch((error: unknown) => error)
    }
    expect(refusal).toMatchObject({ code: 'UNAVAILABLE' })
    await reader.close()
    await other.close()
  })

  const small = { partition: 0, value: Buffer.from('{}\n'), events: 1 }

  /** As a sender would: again until it is taken. */
  async function appended(record: typeof small): Promise<readonly number[]> {
    for (;;) {
      const offsets = await log.append([record]).catch(() => null)
      if (offsets !== null) return offsets
      await sleep(100)
    }
  }
})
