import { describe, expect, it } from 'vitest'
import type { Body } from './here.ts'
import { at, here, items, sent } from './here.ts'

/** What owners do beyond the API, each with a body that it takes. */
const acts = (): readonly (readonly [target: string, body: Body | null])[] => [
  [`POST payments/${here.shop.payment}/mark`, { status: 'succeeded' }],
  [`POST payments/${here.shop.payment}/disputes`, { amount: 1 }],
  [`POST refunds/${here.shop.refund}/mark`, { status: 'succeeded' }],
  [`POST disputes/${here.shop.dispute}/move`, { dispute_status: 'dispute_challenged' }],
  [`POST subscriptions/${here.shop.subscription}/preview`, { status: 'paused' }],
  [`POST subscriptions/${here.shop.onDemand}/charge/preview`, { product_price: 100 }],
  [`POST subscriptions/${here.shop.subscription}/update-payment-method/preview`, { type: 'new' }],
  [`GET brands/${here.shop.brand}/holdings`, null],
]

describe('what owners do beyond the API', () => {
  it('is of the own business and mode alone, whoever asks with whatever id', async () => {
    for (const [target, body] of acts()) {
      expect([target, (await sent(here.stranger, target, body)).status]).toEqual([target, 404])
      expect([target, (await sent(here.owner, target, body, 'live')).status]).toEqual([target, 404])
      const none = await sent(at.nobody(), target, body)
      expect([target, none.status]).toEqual([target, 401])
      const odd = target.replace(/\/(pay|ref|dis|sub|brnd)_[^/]*/, '/%00..%2F')
      expect([odd, [404, 422].includes((await sent(here.owner, odd, body)).status)]).toEqual([
        odd,
        true,
      ])
    }
    const payment = await here.owner.call(`GET /test/payments/${here.shop.payment}`)
    expect(payment.body['disputes']).toHaveLength(1)
  })

  it('is not for viewers, who may look ahead', async () => {
    for (const [target, body] of acts()) {
      const isLook = target.endsWith('preview') || target.endsWith('holdings')
      const { status } = await sent(here.viewer, target, body)
      expect([target, status]).toEqual([target, isLook ? 200 : 403])
    }
  })

  it('refuses bodies that are none', async () => {
    const wrong: readonly (readonly [string, Body])[] = [
      [`POST payments/${here.shop.payment}/mark`, {}],
      [`POST payments/${here.shop.payment}/mark`, { status: 'refunded' }],
      [`POST payments/${here.shop.payment}/mark`, { status: 'failed', reason: 'because' }],
      [`POST payments/${here.shop.payment}/disputes`, { amount: 0 }],
      [`POST payments/${here.shop.payment}/disputes`, { reason: 'a\u0000b' }],
      [`POST disputes/${here.shop.dispute}/move`, { dispute_status: null }],
      [`POST subscriptions/${here.shop.subscription}/preview`, { status: 'gone' }],
      [`POST subscriptions/${here.shop.subscription}/preview`, { next_billing_date: '2001-01-01' }],
    ]
    for (const [target, body] of wrong) {
      const { status } = await sent(here.owner, target, body)
      expect([target, body, status]).toEqual([target, body, 422])
    }
  })

  it('marks nothing that another processor decides, and moves no dispute where it cannot go', async () => {
    const mark = await sent(here.owner, `POST payments/${here.shop.payment}/mark`, {
      status: 'failed',
    })
    expect([mark.status, mark.body['code']]).toEqual([409, 'CONFLICT'])
    const refund = await sent(here.owner, `POST refunds/${here.shop.refund}/mark`, {
      status: 'failed',
    })
    expect(refund.status).toBe(409)
    const more = await sent(here.owner, `POST payments/${here.shop.payment}/disputes`, {
      amount: 10 ** 9,
    })
    expect(more.status).toBe(409)
    const won = { dispute_status: 'dispute_won' }
    expect((await sent(here.owner, `POST disputes/${here.shop.dispute}/move`, won)).status).toBe(
      409,
    )
  })

  it('answers a dispute with evidence, of two answers at once by one', async () => {
    const body = { dispute_status: 'dispute_challenged', remarks: 'It was delivered.' }
    const both = await Promise.all(
      [here.owner, here.owner].map((who) =>
        sent(who, `POST disputes/${here.shop.dispute}/move`, body),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const after = await here.owner.call(`GET /test/disputes/${here.shop.dispute}`)
    expect(after.body).toMatchObject(body)
  })
})

describe('looking ahead', () => {
  it('says what the command then does, and stores nothing', async () => {
    const path = `/test/subscriptions/${here.shop.subscription}`
    const before = await here.owner.call(`GET ${path}`)
    for (const body of [
      { status: 'paused' },
      { cancel_at_next_billing_date: true, cancellation_comment: 'x' },
      { status: 'cancelled' },
    ]) {
      const { status, body: told } = await here.owner.call(`POST ${path}/preview`, { body })
      expect([body, status]).toEqual([body, 200])
      expect(told['subscription']).not.toEqual(before.body)
    }
    expect((await here.owner.call(`GET ${path}`)).text).toBe(before.text)
    const conflict = await here.owner.call(`POST ${path}/preview`, { body: { status: 'active' } })
    expect(conflict.body['subscription']).toMatchObject({ status: 'active' })
    const body = { status: 'paused' }
    const foreseen = await here.owner.call(`POST ${path}/preview`, { body })
    const done = await here.owner.call(`PATCH ${path}`, { body })
    const still = ({ paused_at: _, ...rest }: Body) => rest
    expect(still(foreseen.body['subscription'] as Body)).toEqual(still(done.body))
    expect((await here.owner.call(`PATCH ${path}`, { body: { status: 'active' } })).status).toBe(
      200,
    )
  })

  it('counts exactly what a brand gives away', async () => {
    const made = await here.owner.call('POST /test/brands', { body: { name: 'Old' } })
    const id = String(made.body['brand_id'])
    const body = { brand_id: id }
    expect(
      (await here.owner.call(`PATCH /test/products/${here.shop.dearer}`, { body })).status,
    ).toBe(204)
    const holds = await here.owner.call(`GET /test/brands/${id}/holdings`)
    expect(holds.body).toEqual({ products: 1, subscriptions: 0, collections: 0 })
    const target = { move_products_to: at.here() }
    const gone = await here.owner.call(`POST /test/brands/${id}/archive`, { body: target })
    expect(gone.body).toMatchObject({ products_moved: 1, subscriptions_moved: 0 })
    const after = await here.owner.call(`GET /test/brands/${id}/holdings`)
    expect(after.body).toEqual({ products: 0, subscriptions: 0, collections: 0 })
  })

  it('tries a meter on the newest events, for viewers, too, and makes none', async () => {
    const meter = {
      name: 'Tried',
      event_name: 'never.sent',
      aggregation: { type: 'count' },
      measurement_unit: 'x',
    }
    const before = items(await here.owner.call('GET /test/meters')).length
    const tried = await here.viewer.call('POST /test/meters/preview', { body: meter })
    expect([tried.status, tried.body]).toEqual([
      200,
      { matched: 0, of: 0, aggregate: null, events: [] },
    ])
    const wrong = { body: { ...meter, aggregation: { type: 'median' } } }
    expect((await here.viewer.call('POST /test/meters/preview', wrong)).status).toBe(422)
    expect(items(await here.owner.call('GET /test/meters')).length).toBe(before)
  })
})

describe('papers', () => {
  it('are for who is logged in, of the own business', async () => {
    const target = `GET /test/invoices/payments/${here.shop.payment}`
    const paper = await here.owner.call(target)
    expect([paper.status, paper.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect((await here.viewer.call(target)).status).toBe(200)
    expect((await here.stranger.call(target)).status).toBe(404)
    expect((await at.nobody().call(target)).status).toBe(401)
    const plain = await at.nobody().call(`GET ~/invoices/payments/${here.shop.payment}`)
    expect(plain.status).toBe(401)
  })
})
