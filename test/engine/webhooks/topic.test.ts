import { beforeEach, describe, expect, it } from 'vitest'
import type { Alone } from '../../../src/engine/alone-by-lease.ts'
import { aloneIn } from '../../../src/engine/alone-by-lease.ts'
import { openTopic } from '../../../src/engine/webhooks/topic.ts'
import { Fault } from '../../../src/faults.ts'
import type { CreditEvent } from '../../../src/parts/credit-events/port.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { announcements } from '../../../src/parts/store/postgres/telling/announcements.ts'
import { leases } from '../../../src/parts/store/postgres/telling/leases.ts'
import { quiet } from '../../support/runtime/logger.ts'
import { openBooks } from '../../support/store/books.ts'
import { telling } from '../../support/webhooks/telling.ts'

const always: Alone = (_, work) => work

describe('the topic credit.events', () => {
  const { db, started, receiver, settled } = telling()
  const told: CreditEvent[] = []
  let failures = 0

  beforeEach(async () => {
    told.length = 0
    failures = 0
    await db().query(sql`truncate announcements, leases`)
  })

  const creditEvents = {
    async publish(events: readonly CreditEvent[]) {
      if (failures > 0) {
        failures -= 1
        throw new Fault('UNAVAILABLE', 'Kafka is away.')
      }
      told.push(...events)
    },
    close: () => Promise.resolve(),
  }
  const topic = (alone: Alone = always) =>
    openTopic({ announcements: announcements(db()), creditEvents, alone, logger: quiet })
  const waiting = async () => (await announcements(db()).oldest(1_000)).length

  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  it('gets every fact once under its webhook id and customer, wanted by an endpoint or not', async () => {
    const books = await openBooks(db())
    const ids = await books.facts(30)
    const delivery = started({ topic: topic() })
    await until(() => told.length >= 30)
    expect(told.map(({ webhookId }) => webhookId)).toEqual(ids)
    for (const { key, mode, value } of told) {
      const envelope = JSON.parse(Buffer.from(value).toString()) as {
        type: string
        data: { customer_id: string }
      }
      expect(envelope.type).toMatch(/^credit\./)
      expect(envelope.data.customer_id).toBe(key)
      expect(mode).toBe('test')
    }
    await until(async () => (await waiting()) === 0)
    await delivery.stop()
  })

  it('gets the very bytes that endpoints get', async () => {
    const { receiver: endpoint, books } = await receiver()
    await books.endpoint({ url: endpoint.url })
    await books.facts(3)
    started({ topic: topic() })
    await settled((rows) => rows.length === 3 && rows.every(({ outcome }) => outcome !== null))
    await until(() => told.length >= 3)
    const bodies = endpoint.received.map(({ headers, body }) => [headers['webhook-id'], body])
    expect(
      new Map(told.map((event) => [event.webhookId, Buffer.from(event.value).toString()])),
    ).toEqual(new Map(bodies as [string, string][]))
  })

  it('loses nothing while it is away, and webhooks do not wait for it', async () => {
    failures = 3
    const { receiver: endpoint, books } = await receiver()
    await books.endpoint({ url: endpoint.url })
    await books.facts(2)
    started({ topic: topic() })
    await settled((rows) => rows.length === 2 && rows.every(({ outcome }) => outcome !== null))
    await until(() => told.length >= 2)
    expect(failures).toBe(0)
  })

  it('is told by one of several processes, and by another when that one gives up', async () => {
    const rounds: string[] = []
    const worker = (holder: string) =>
      aloneIn(leases(db()), holder)('credit.events', async () => rounds.push(holder) > 0)
    const [first, second] = [worker('first'), worker('second')]
    expect([await first(), await second(), await first()]).toEqual([true, false, true])
    expect(rounds).toEqual(['first', 'first'])
    await leases(db()).release('first')
    // One that was refused asks again a little later; a newcomer asks at once.
    expect(await worker('third')()).toBe(true)
    expect(rounds.at(-1)).toBe('third')
  })

  it('is left to a successor when its time is up', async () => {
    expect(await leases(db()).take('job', 'first', 0)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await leases(db()).take('job', 'second', 10_000)).toBe(true)
    expect(await leases(db()).take('job', 'second', 10_000)).toBe(true)
    expect(await leases(db()).take('job', 'first', 10_000)).toBe(false)
  })
})
