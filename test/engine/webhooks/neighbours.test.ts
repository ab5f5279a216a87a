import { describe, expect, it } from 'vitest'
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
} from '../../../src/operations/webhooks/change-webhook-endpoint.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { deliveries } from '../../../src/parts/store/postgres/telling/deliveries.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { after, hour, instantOf, second } from '../../../src/std/instant.ts'
import { webhookPorts } from '../../support/store/books.ts'
import { answer } from '../../support/webhooks/receiver.ts'
import { movableClock, over, telling } from '../../support/webhooks/telling.ts'

const { db, receiver, started, rows, settled, relayed } = telling()

describe('delivery and its neighbours', () => {
  it('lets no slow endpoint delay another, and bounds what one has open', async () => {
    const { receiver: slow } = await receiver(() => undefined)
    const { receiver: quick, books } = await receiver()
    await books.endpoint({ url: slow.url })
    await books.endpoint({ url: quick.url })
    await books.facts(100)
    started()
    await quick.until(100)
    await slow.until(8)
    expect(slow.openMax()).toBe(8)
    expect(slow.received).toHaveLength(8)
  })

  it('stops pending attempts of endpoints that are disabled or deleted, for good', async () => {
    const {
      receiver: { url, until, received },
      books,
    } = await receiver(answer(500))
    const disabled = await books.endpoint({ url })
    const deleted = await books.endpoint({ url })
    await books.facts(1)
    const clock = movableClock()
    started({ clock })
    await until(2)
    await settled((all) => all.length === 2 && all.every((one) => one.attempts === 1))
    const ports = webhookPorts(db())
    const at = clock.now()
    const { webhookId } = disabled
    await changeWebhookEndpoint(ports, disabled, { webhookId, change: { disabled: true }, at })
    await deleteWebhookEndpoint(ports, deleted, { webhookId: deleted.webhookId, at })
    expect((await rows()).map((one) => one.outcome)).toEqual(['stopped', 'stopped'])
    await changeWebhookEndpoint(ports, disabled, { webhookId, change: { disabled: false }, at })
    clock.ahead += 100 * hour
    await books.facts(1)
    await until(3)
    expect(received).toHaveLength(3)
  })

  it('stops an attempt under way when it fails, and tidies what slipped past', async () => {
    const {
      receiver: { url, until },
      books,
    } = await receiver(async (_request, response) => {
      await changeWebhookEndpoint(webhookPorts(db()), endpoint, {
        webhookId: endpoint.webhookId,
        change: { disabled: true },
        at: instantOf(0),
      })
      response.writeHead(500).end()
    })
    const endpoint = await books.endpoint({ url })
    await books.facts(1)
    started()
    await until(1)
    const [row] = await settled(([one]) => one?.attempts === 1)
    expect(row).toMatchObject({ outcome: 'stopped', next_at: null })
    await db().query(sql`update deliveries set next_at = now(), outcome = null`)
    expect(await deliveries(db()).tidy(systemClock().now(), 10)).toMatchObject({ deliveries: 0 })
    expect(await rows()).toMatchObject([{ outcome: 'stopped', next_at: null }])
  })

  it('throttles to the rate limit, whoever sends, and drops nothing', async () => {
    const {
      receiver: { url, until, received },
      books,
    } = await receiver()
    await books.endpoint({ url, rate_limit: 20 })
    await books.facts(30)
    started()
    started()
    await until(30)
    await settled((all) => all.length === 30 && over(all))
    expect(received).toHaveLength(30)
    const times = received.map((request) => request.atMs).toSorted((a, b) => a - b)
    // 29 steps of 51 ms; the first may arrive late, and load can only make the rest later.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_000)
  })

  it('sends under any limit that an endpoint may have, and so to its neighbours', async () => {
    const [one, other] = [await receiver(), await receiver()]
    await one.books.endpoint({ url: one.receiver.url, rate_limit: 2 ** 31 - 1 })
    await other.books.endpoint({ url: other.receiver.url })
    await one.books.facts(10)
    await other.books.facts(1)
    started()
    await Promise.all([one.receiver.until(10), other.receiver.until(1)])
    await settled((all) => all.length === 11 && over(all))
  })

  it('frees claims and turns that a clock far ahead has left behind', async () => {
    const {
      receiver: { url, until },
      books,
    } = await receiver()
    await books.endpoint({ url, rate_limit: 5 })
    await books.facts(1)
    await relayed(systemClock().now())
    await db().query(sql`update deliveries set claimed_until = now() + interval '120 days'`)
    await db().query(sql`update webhook_endpoints set paced_until = now() + interval '120 days'`)
    started()
    await until(1)
    await settled(over)
  })

  it('puts off no attempt for as long as a clock was ahead', async () => {
    const {
      receiver: { url, until, received },
      books,
    } = await receiver(answer(500))
    await books.endpoint({ url })
    await books.facts(1)
    const wrong = movableClock()
    wrong.ahead = 72 * hour
    const bent = started({ clock: wrong })
    await until(1)
    await settled(([one]) => one?.attempts === 1)
    await bent.stop(0)
    // Processes whose clock is behind must not take it for that: the store's clock, or this one,
    // says otherwise.
    const store = deliveries(db())
    const before = await rows()
    await store.tidy(wrong.now(), 10)
    expect(await rows()).toEqual(before)

    const clock = movableClock()
    started({ clock })
    await settled(([one]) => (one?.next_at ?? 0) < clock.now() + 10 * second)
    clock.ahead = 10 * second
    await until(2)
    await settled(([one]) => one?.attempts === 2)
    // From now on the schedule runs as ever: five minutes.
    const [row] = await rows()
    await store.tidy(clock.now(), 10)
    expect(await rows()).toEqual([row])
    expect(received).toHaveLength(2)
  })

  it('puts off no first attempt either', async () => {
    const {
      receiver: { url, until },
      books,
    } = await receiver()
    await books.endpoint({ url })
    await books.facts(1)
    await relayed(after(systemClock().now(), 72 * hour))
    started()
    await until(1)
    await settled(over)
  })

  it('has no limit at rate_limit 0', async () => {
    const {
      receiver: { url, until },
      books,
    } = await receiver()
    await books.endpoint({ url, rate_limit: 0 })
    await books.facts(3)
    started()
    await until(3)
  })

  it('shows who was told of an entry, and how that went', async () => {
    const {
      receiver: { url, until },
      books,
    } = await receiver(answer(404))
    const { webhookId } = await books.endpoint({ url })
    const [messageId] = await books.facts(1)
    started()
    await until(1)
    await settled(([one]) => one?.attempts === 1)
    expect(await deliveries(db()).ofEntry(books.accountId, 1)).toMatchObject([
      {
        messageId,
        webhookId,
        type: 'credit.deducted',
        outcome: null,
        attempts: [{ number: 1, status: 404, error: 'status' }],
      },
    ])
  })
})
