import { describe, expect, it } from 'vitest'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { deliveries } from '../../../src/parts/store/postgres/telling/deliveries.ts'
import { webhookMessages } from '../../../src/parts/store/postgres/telling/webhook-messages.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { instantOf, minute } from '../../../src/std/instant.ts'
import { numbersOf, oneEndpoint } from '../../support/webhooks/one-endpoint.ts'
import { answer } from '../../support/webhooks/receiver.ts'
import { movableClock, over, telling } from '../../support/webhooks/telling.ts'

const suite = telling()
const { db, started, settled } = suite
const endpoint = oneEndpoint(suite)

describe('messages of an endpoint', () => {
  it('are listed newest first with what was sent, and each attempt with its answer', async () => {
    const one = await endpoint((_request, response) => {
      response.writeHead(200).end('thank you \u0000 very much')
    })
    const ids = await one.books.facts(3, 'credit.added')
    started()
    await settled((all) => all.length === 3 && over(all))
    const items = await one.listed()
    expect(items.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(items[0]).toEqual({
      id: ids[2],
      webhook_id: one.webhookId,
      type: 'credit.added',
      outcome: 'delivered',
      attempts: 1,
      next_attempt_at: null,
      sequence: 3,
      test: false,
      created_at: expect.stringMatching(/Z$/),
      payload: JSON.parse(one.receiving.received.find(({ id }) => id === ids[2])?.body ?? ''),
    })
    const attempts = await one.call(`GET ${one.path}/messages/${ids[0]}/attempts`)
    expect(attempts.body.items).toEqual([
      {
        number: 1,
        at: expect.stringMatching(/Z$/),
        latency_ms: expect.any(Number),
        status: 200,
        error: null,
        answer: 'thank you \ufffd very much',
      },
    ])
    const second = await one.call(`GET ${one.path}/messages?page_size=1&page_number=1`)
    expect(second.body.items.map(({ id }) => id)).toEqual([ids[1]])
    expect((await one.call(`GET ${one.path}/messages?page_number=9`)).body.items).toEqual([])
  })

  it.each([200, 500])(
    'keep the first KiB of an answer of %i, cut between characters',
    async (status) => {
      const one = await endpoint((_request, response) => {
        response.writeHead(status).end(`x${'é'.repeat(5_000)}`)
      })
      const [id] = await one.books.facts(1)
      started()
      await settled(([row]) => row?.attempts === 1)
      const { items } = (await one.call(`GET ${one.path}/messages/${id}/attempts`)).body
      expect(items).toMatchObject([{ status, answer: `x${'é'.repeat(511)}` }])
    },
  )

  it('are nobody else’s, and gone with their endpoint', async () => {
    const one = await endpoint()
    const other = await endpoint()
    const [id] = await one.books.facts(1)
    started()
    await settled(over)
    const all = (path: string) =>
      [
        [`GET ${path}/messages`],
        [`GET ${path}/messages/${id}/attempts`],
        [`POST ${path}/messages/${id}/resend`],
        [`POST ${path}/recover`, { since: '2020-01-01T00:00:00Z' }],
        [`POST ${path}/test`, { type: 'credit.added' }],
        [`POST ${path}/secret/rotate`],
      ] as [Parameters<typeof one.call>[0], unknown][]
    for (const [target, body] of all(one.path)) {
      expect(await other.call(target, body)).toMatchObject({ status: 404 })
      expect(await one.call.as({ mode: 'live' })(target, body)).toMatchObject({ status: 404 })
    }
    for (const [target] of all(other.path).slice(1, 3)) {
      expect(await other.call(target)).toMatchObject({ status: 404 })
    }
    await one.call(`DELETE ${one.path}`)
    for (const [target, body] of all(one.path)) {
      expect(await one.call(target, body)).toMatchObject({ status: 404 })
    }
  })

  it('that retention has dropped are not found', async () => {
    const one = await endpoint()
    const [id] = await one.books.facts(1)
    started()
    await settled(over)
    await deliveries(db()).forget(instantOf(systemClock().now() + minute), 10)
    expect(await one.listed()).toEqual([])
    const path = `${one.path}/messages/${id}` as const
    expect(await one.call(`GET ${path}/attempts`)).toMatchObject({ status: 404 })
    expect(await one.call(`POST ${path}/resend`)).toMatchObject({ status: 404 })
  })
})

describe('sending again', () => {
  it('keeps id, body and number, and begins a schedule of its own', async () => {
    let status = 200
    const clock = movableClock()
    const one = await endpoint(
      (request, response, raw) => answer(status)(request, response, raw),
      clock,
    )
    const [id] = await one.books.facts(1)
    started({ clock })
    await settled(over)
    status = 500
    const again = await one.call(`POST ${one.path}/messages/${id}/resend`)
    expect(again).toMatchObject({ status: 200, body: { id, outcome: 'pending', attempts: 1 } })
    await settled(([row]) => row?.attempts === 2)
    const [waiting] = await settled(([row]) => row?.attempts === 2)
    // The first of a schedule that failed: five seconds, and not the five minutes of a second one.
    expect((waiting?.next_at ?? 0) - clock.now()).toBeLessThan(6_000_000)
    status = 200
    clock.ahead += 6_000_000
    await settled(over)
    const { received } = one.receiving
    expect(received.map(numbersOf)).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ])
    expect(new Set(received.map((request) => request.id + request.body)).size).toBe(1)
    const { items } = (await one.call(`GET ${one.path}/messages/${id}/attempts`)).body
    expect(items.map(({ number, status }) => [number, status])).toEqual([
      [3, 200],
      [2, 500],
      [1, 200],
    ])
  })

  it('while an attempt is under way makes one more after it', async () => {
    let asked: Promise<unknown> = Promise.resolve()
    const one = await endpoint(async ({ id }, response) => {
      if (one.receiving.received.length === 1) {
        asked = one.call(`POST ${one.path}/messages/${id}/resend`)
        await asked
      }
      response.end()
    })
    await one.books.facts(1)
    started()
    await settled(([row]) => row?.attempts === 2 && row.outcome === 'delivered')
    expect(await asked).toMatchObject({ status: 200, body: { outcome: 'pending' } })
    expect(one.receiving.received).toHaveLength(2)
  })

  it('is refused for a disabled endpoint, and stopped with it', async () => {
    const one = await endpoint()
    const [id] = await one.books.facts(1)
    started()
    await settled(over)
    await one.call(`PATCH ${one.path}`, { disabled: true })
    for (const [target, body] of [
      [`POST ${one.path}/messages/${id}/resend`, undefined],
      [`POST ${one.path}/recover`, { since: '2020-01-01T00:00:00Z' }],
      [`POST ${one.path}/test`, { type: 'credit.added' }],
    ] as const) {
      const refused = await one.call(target, body)
      expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
      expect(refused.body.message).toContain('enable it')
    }
  })
})

describe('recovery', () => {
  it('brings what was given up, stopped or put off, the oldest first, and no test', async () => {
    let status = 500
    const clock = movableClock()
    const one = await endpoint(
      (request, response, raw) => answer(status)(request, response, raw),
      clock,
    )
    const ids = await one.books.facts(4)
    await one.call(`POST ${one.path}/test`, { type: 'credit.added' })
    started({ clock })
    await settled((all) => all.length === 5 && all.every(({ attempts }) => attempts === 1))
    await db().query(sql`
      update deliveries set outcome = 'given_up', next_at = null where message_id = ${ids[0]}`)
    await db().query(sql`
      update deliveries set outcome = 'stopped', next_at = null where message_id = ${ids[1]}`)
    status = 200
    const recover = (since: string) => one.call(`POST ${one.path}/recover`, { since })
    expect((await recover('2999-01-01T00:00:00Z')).body).toMatchObject({ recovered: 0 })
    const sent = one.receiving.received.length
    expect((await recover('2020-01-01T00:00:00+02:00')).body).toEqual({
      since: '2019-12-31T22:00:00.000000Z',
      recovered: 4,
      remaining: 0,
    })
    await settled((all) => all.filter(({ outcome }) => outcome === 'delivered').length === 4)
    const brought = one.receiving.received.slice(sent).map(({ id }) => id)
    expect(brought.toSorted()).toEqual([...ids].toSorted())
    expect((await recover('2020-01-01T00:00:00Z')).body).toMatchObject({ recovered: 0 })
  })

  it('takes up what a full backlog held back, as far as there is room', async () => {
    const one = await endpoint(answer(500))
    const store = deliveries(db())
    const now = systemClock().now()
    started()
    await one.books.facts(2)
    await settled((all) => all.length === 2 && all.every(({ attempts }) => attempts === 1))
    expect(await store.tidy(now, 2)).toEqual({ deliveries: 2, backlog: 2, filled: [one.webhookId] })
    expect(await store.tidy(now, 2)).toMatchObject({ filled: [] })
    const held = await one.books.facts(3)
    await settled((all) => all.length === 5)
    const items = await one.listed()
    expect(items.slice(0, 3).map(({ id, outcome, sequence }) => [id, outcome, sequence])).toEqual([
      [held[2], 'held_back', 5],
      [held[1], 'held_back', 4],
      [held[0], 'held_back', 3],
    ])
    const key = {
      businessId: one.books.businessId,
      mode: 'test',
      webhookId: one.webhookId,
    } as const
    const wanted = { since: instantOf(0), at: now, most: 3, backlogMax: 4 }
    // Those that wait for their next attempt take up no room; of the others there is room for two.
    expect(await webhookMessages(db()).recover(key, wanted)).toEqual({ recovered: 3, remaining: 2 })
    expect(await webhookMessages(db()).recover(key, { ...wanted, backlogMax: 99 })).toMatchObject({
      remaining: expect.any(Number),
    })
    await store.tidy(now, 99)
    await one.books.facts(1)
    await settled((all) => all.length === 6)
    expect((await one.listed())[0]).toMatchObject({ outcome: 'pending', sequence: 6 })
  })

  it.each([{}, { since: null }, { since: 'yesterday' }, { since: 5 }])(
    'refuses %j',
    async (body) => {
      const one = await endpoint()
      expect(await one.call(`POST ${one.path}/recover`, body)).toMatchObject({
        status: 422,
        body: { code: 'INVALID_REQUEST_BODY' },
      })
    },
  )
})
