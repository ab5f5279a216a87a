import { describe, expect, it } from 'vitest'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { announcements } from '../../../src/parts/store/postgres/telling/announcements.ts'
import { deliveries } from '../../../src/parts/store/postgres/telling/deliveries.ts'
import { outbox } from '../../../src/parts/store/postgres/telling/outbox.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { instantOf } from '../../../src/std/instant.ts'
import { telling } from '../../support/webhooks/telling.ts'

const { db, receiver, relayed, rows } = telling()

describe('the relay', () => {
  it('lets first attempts set out in the order of the facts', async () => {
    const {
      receiver: { url },
      books,
    } = await receiver()
    await books.endpoint({ url })
    const ids = await books.facts(50)
    const at = systemClock().now()
    await relayed(at)
    const claims = await deliveries(db()).claim({
      at,
      limit: 50,
      perEndpoint: 50,
      underWay: new Map(),
      leaseMs: 1_000,
    })
    expect(claims.map((claim) => claim.messageId)).toEqual(ids)
  })

  it('takes each fact once, however many relay at once', async () => {
    const {
      receiver: { url },
      books,
    } = await receiver()
    await books.endpoint({ url, disabled: false })
    const ids = await books.facts(400)
    const box = outbox(db())
    const round = async (): Promise<number> => {
      const facts = await box.waiting(100)
      const bodies = facts.map(({ id, messageId }) => ({
        id,
        messageId,
        body: messageId,
        customerId: null,
      }))
      return (await box.relay(bodies, instantOf(0))).facts
    }
    let taken = 0
    while (taken < 400) {
      const counts = await Promise.all([round(), round(), round(), round()])
      taken += counts.reduce((sum, count) => sum + count, 0)
    }
    expect(taken).toBe(400)
    const messages = await db().query<{ message_id: string; body: string }>(
      sql`select message_id, body from messages`,
    )
    expect(messages.map((message) => message.message_id).toSorted()).toEqual([...ids].toSorted())
    expect(messages.every((message) => message.body === message.message_id)).toBe(true)
    expect(await rows()).toHaveLength(400)
  })

  it('takes no other fact that has the id of one it read, as an older copy gives it', async () => {
    const { books } = await receiver()
    await books.endpoint({ url: 'http://127.0.0.1:1' })
    const ids = await books.facts(2)
    const box = outbox(db())
    const waiting = await box.waiting(10)
    // What was read before the store was put back: the ids are given to other facts since.
    const before = waiting.map(({ id }) => ({
      id,
      messageId: `msg_of_before_${id}`,
      body: 'what another one was told',
      customerId: 'cus_of_another',
    }))
    expect(await box.relay(before, instantOf(0))).toEqual({ facts: 0, deliveries: 0 })
    expect((await box.waiting(10)).map(({ messageId }) => messageId)).toEqual(ids)
    const messages = await db().query(sql`select message_id from messages`)
    const announced = await announcements(db()).oldest(10)
    expect([...messages, ...announced]).toEqual([])
  })

  it('forgets no other announcement that has the id of one it published', async () => {
    const { books } = await receiver()
    await books.facts(1)
    const box = outbox(db())
    const [fact] = await box.waiting(10)
    if (fact === undefined) throw new Error('No fact waits.')
    const { id, messageId } = fact
    await box.relay([{ id, messageId, body: '{}', customerId: 'cus_1' }], instantOf(0))
    const topic = announcements(db())
    const standing = await topic.oldest(10)
    expect(standing).toMatchObject([{ messageId, customerId: 'cus_1', body: '{}' }])
    await topic.told(standing.map((one) => ({ ...one, messageId: 'msg_of_before' })))
    expect(await topic.oldest(10)).toEqual(standing)
    await topic.told(standing)
    expect(await topic.oldest(10)).toEqual([])
  })
})
