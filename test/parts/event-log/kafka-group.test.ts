import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type {
  EventLog,
  GroupHandler,
  LogGroup,
  LogRecord,
  Offset,
} from '../../../src/parts/event-log/port.ts'
import type { KafkaLog } from '../../support/event-log/kafka-log.ts'
import { administer, kafkaLog, partitions } from '../../support/event-log/kafka-log.ts'
import { rememberingLogger } from '../../support/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestKafka } from '../../support/servers/kafka.ts'
import { kafkaMissing, startKafka } from '../../support/servers/kafka.ts'

describeWith(kafkaMissing, 'the consumer group on Kafka', () => {
  let kafka: TestKafka
  let place: KafkaLog
  let log: EventLog
  let open: { close(): Promise<void> }[]
  const logger = rememberingLogger()
  beforeAll(async () => {
    kafka = await startKafka()
  })
  afterAll(() => kafka.stop())
  beforeEach(async () => {
    place = await kafkaLog(kafka, logger)
    log = await place.openLog()
    open = [log]
  })
  afterEach(async () => {
    for (const one of open.reverse()) await one.close()
    await place.remove()
  })

  it('shares the partitions of two members, and gives them back to the one that stays', async () => {
    const [first, second] = [await member(), await member()]
    await until(() => first.holds().length === 2 && second.holds().length === 2)
    expect([...first.holds(), ...second.holds()].sort()).toEqual([0, 1, 2, 3])
    await append(20)
    await until(() => first.seen.length + second.seen.length === 20)
    await second.leave()
    await until(() => first.holds().length === partitions)
    await append(8)
    // What the second had was never told as measured: the handler says where to read on.
    await until(() => first.seen.filter(({ text }) => text.startsWith('2-')).length === 8)
  })

  it('asks where to read on after every join, also for what it kept', async () => {
    const first = await member()
    await append(8)
    await until(() => first.seen.length === 8)
    const [taken, kept] = [first.taken.length, first.seen.length]
    await member()
    await until(() => first.taken.length >= taken + 2)
    // Its handler always answers 0: what it kept is read again from there.
    await until(() => first.seen.length >= kept + 4)
  })

  it('lets a partition wait whose handler throws or takes long, and no other', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let failures = 0
    const one = await member(async (partition) => {
      if (partition === 0) await held
      failures += partition === 1 ? 1 : 0
      if (partition === 1 && failures < 3) throw new Error('The store is away.')
      return 0
    })
    await append(8)
    await until(() => one.seen.length === 6)
    expect(one.seen.some(({ partition }) => partition === 0)).toBe(false)
    release()
    await until(() => one.seen.length === 8)
  })

  it('reads nothing of a partition that was halted', async () => {
    const halted = Number.MAX_SAFE_INTEGER
    const one = await member(async (partition) => (partition === 2 ? halted : 0))
    await append(8)
    await until(() => one.seen.length === 6)
    await append(8)
    await until(() => one.seen.length === 12)
    expect(one.seen.some(({ partition }) => partition === 2)).toBe(false)
  })

  it('reads nothing past a gap, and asks the handler again', async () => {
    await append(40)
    await administer(kafka.brokers, async (admin) => {
      // It knows no leaders before it was asked for something else.
      await admin.fetchTopicOffsets('usage.events')
      const before = [{ partition: 0, offset: '5' }]
      await admin.deleteTopicRecords({ topic: 'usage.events', partitions: before })
    })
    const one = await member(async (partition) => (partition === 1 ? 100 : 0))
    // And now and then once more.
    await until(() => one.taken.filter((partition) => partition === 0).length >= 2)
    await until(() => one.taken.filter((partition) => partition === 1).length >= 2)
    await until(() => one.seen.length === 20)
    expect(new Set(one.seen.map(({ partition }) => partition))).toEqual(new Set([2, 3]))
    const errors = logger.told.filter(({ level }) => level === 'error')
    expect(errors.map(({ fields }) => fields)).toContainEqual({ partition: 0, offset: 0 })
    expect(errors.map(({ fields }) => fields)).toContainEqual({ partition: 1, offset: 100 })
    const reader = await place.openReader()
    open.push(reader)
    expect(await reader.bounds(0)).toEqual({ first: 5, end: 10 })
    expect((await reader.read(0, 0, 1_000_000))[0]?.offset).toBe(5)
    expect(await reader.read(0, 10, 1_000)).toEqual([])
    expect(await reader.read(0, 11, 1_000)).toEqual([])
  })

  it('takes a partition again that its handler does not hold', async () => {
    const one = await member(undefined, (partition) => (partition === 3 ? null : 0))
    await append(4)
    await until(() => one.taken.filter((partition) => partition === 3).length > 1)
    expect(one.taken.filter((partition) => partition === 0)).toHaveLength(1)
  })

  it('tells Kafka how far the handler has come', async () => {
    await append(8)
    await member(undefined, (partition) => partition + 1)
    await until(async () => {
      const offsets = await administer(kafka.brokers, (admin) =>
        admin.fetchOffsets({ groupId: 'sluice-billing', topics: ['usage.events'] }),
      )
      const found = offsets[0]?.partitions ?? []
      return found.length === 4 && found.every(({ partition, offset }) => +offset === partition + 1)
    })
  })

  it('goes on after the broker was killed and came back', async () => {
    const one = await member()
    await append(8)
    await until(() => one.seen.length === 8)
    await kafka.kill(0)
    await kafka.start(0)
    await append(8)
    await until(() => one.seen.some(({ text }) => text.startsWith('2-')))
  })

  let rounds = 0
  beforeEach(() => {
    rounds = 0
  })

  /** One record a partition in turn, until Kafka takes them. */
  async function append(count: number): Promise<void> {
    rounds += 1
    const records = Array.from({ length: count }, (_, index) => ({
      partition: index % partitions,
      value: Buffer.from(`${rounds}-${index}`),
      events: 1,
    }))
    await until(() =>
      log.append(records).then(
        () => true,
        () => false,
      ),
    )
  }

  interface Seen extends LogRecord {
    readonly text: string
  }

  async function member(
    taken: (partition: number) => Promise<Offset> = async () => 0,
    position?: GroupHandler['position'],
  ) {
    const told = { taken: [] as number[], seen: [] as Seen[] }
    const holds = new Set<number>()
    const group = await place.openGroup({
      async taken(partition) {
        told.taken.push(partition)
        holds.add(partition)
        return await taken(partition)
      },
      lost: (partition) => void holds.delete(partition),
      ...(position === undefined ? {} : { position }),
    })
    let left = false
    const reading = read(group, told.seen, () => left)
    const one = { ...told, holds: () => [...holds], leave, close: leave }
    open.push(one)
    return one

    async function leave(): Promise<void> {
      if (left) return
      left = true
      await group.close()
      await reading
    }
  }

  async function read(group: LogGroup, seen: Seen[], over: () => boolean): Promise<void> {
    while (!over())
      for (const { records } of await group.poll(100_000, 200))
        for (const record of records)
          seen.push({ ...record, text: Buffer.from(record.value).toString() })
  }
})

async function until(met: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await met())) await sleep(20)
}
