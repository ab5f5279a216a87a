import { beforeAll, describe, expect, it } from 'vitest'
import type { Invited } from '../support/console/people.ts'
import { people } from '../support/console/people.ts'
import type { Person } from '../support/console/person.ts'
import type { Shop } from '../support/console/shop.ts'
import { openShop } from '../support/console/shop.ts'

const at = people()
let owner: Person & Invited
let viewer: Person & Invited
let stranger: Person & Invited
let shop: Shop

beforeAll(async () => {
  owner = await at.person()
  viewer = await at.person(at.here(), 'viewer')
  stranger = await at.person(at.elsewhere())
  shop = await openShop(owner)
}, 180_000)

type Body = Readonly<Record<string, unknown>>
const items = ({ body }: { readonly body: Body }) => body['items'] as readonly Body[]

/** What owners do beyond the API, each with a body that it takes. */
const acts = (): readonly (readonly [target: string, body: Body | null])[] => [
  [`POST payments/${shop.payment}/mark`, { status: 'succeeded' }],
  [`POST payments/${shop.payment}/disputes`, { amount: 1 }],
  [`POST refunds/${shop.refund}/mark`, { status: 'succeeded' }],
  [`POST disputes/${shop.dispute}/move`, { dispute_status: 'dispute_challenged' }],
  [`POST subscriptions/${shop.subscription}/preview`, { status: 'paused' }],
  [`GET brands/${shop.brand}/holdings`, null],
]

const sent = (who: Person, target: string, body: Body | null, mode = 'test') => {
  const [method, path] = target.split(' ')
  return who.call(`${method} /${mode}/${path}`, body === null ? {} : { body })
}

describe('what owners do beyond the API', () => {
  it('is of the own business and mode alone, whoever asks with whatever id', async () => {
    for (const [target, body] of acts()) {
      expect([target, (await sent(stranger, target, body)).status]).toEqual([target, 404])
      expect([target, (await sent(owner, target, body, 'live')).status]).toEqual([target, 404])
      const none = await sent(at.nobody(), target, body)
      expect([target, none.status]).toEqual([target, 401])
      const odd = target.replace(/\/(pay|ref|dis|sub|brnd)_[^/]*/, '/%00..%2F')
      expect([odd, [404, 422].includes((await sent(owner, odd, body)).status)]).toEqual([odd, true])
    }
    const payment = await owner.call(`GET /test/payments/${shop.payment}`)
    expect(payment.body['disputes']).toHaveLength(1)
  })

  it('is not for viewers, who may look ahead', async () => {
    for (const [target, body] of acts()) {
      const isLook = target.endsWith('preview') || target.endsWith('holdings')
      const { status } = await sent(viewer, target, body)
      expect([target, status]).toEqual([target, isLook ? 200 : 403])
    }
  })

  it('refuses bodies that are none', async () => {
    const wrong: readonly (readonly [string, Body])[] = [
      [`POST payments/${shop.payment}/mark`, {}],
      [`POST payments/${shop.payment}/mark`, { status: 'refunded' }],
      [`POST payments/${shop.payment}/mark`, { status: 'failed', reason: 'because' }],
      [`POST payments/${shop.payment}/disputes`, { amount: 0 }],
      [`POST payments/${shop.payment}/disputes`, { reason: 'a\u0000b' }],
      [`POST disputes/${shop.dispute}/move`, { dispute_status: null }],
      [`POST subscriptions/${shop.subscription}/preview`, { status: 'gone' }],
      [`POST subscriptions/${shop.subscription}/preview`, { next_billing_date: '2001-01-01' }],
    ]
    for (const [target, body] of wrong) {
      const { status } = await sent(owner, target, body)
      expect([target, body, status]).toEqual([target, body, 422])
    }
  })

  it('marks nothing that another processor decides, and moves no dispute where it cannot go', async () => {
    const mark = await sent(owner, `POST payments/${shop.payment}/mark`, { status: 'failed' })
    expect([mark.status, mark.body['code']]).toEqual([409, 'CONFLICT'])
    const refund = await sent(owner, `POST refunds/${shop.refund}/mark`, { status: 'failed' })
    expect(refund.status).toBe(409)
    const more = await sent(owner, `POST payments/${shop.payment}/disputes`, { amount: 10 ** 9 })
    expect(more.status).toBe(409)
    const won = { dispute_status: 'dispute_won' }
    expect((await sent(owner, `POST disputes/${shop.dispute}/move`, won)).status).toBe(409)
  })

  it('answers a dispute with evidence, of two answers at once by one', async () => {
    const body = { dispute_status: 'dispute_challenged', remarks: 'It was delivered.' }
    const both = await Promise.all(
      [owner, owner].map((who) => sent(who, `POST disputes/${shop.dispute}/move`, body)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const after = await owner.call(`GET /test/disputes/${shop.dispute}`)
    expect(after.body).toMatchObject(body)
  })
})

describe('looking ahead', () => {
  it('says what the command then does, and stores nothing', async () => {
    const path = `/test/subscriptions/${shop.subscription}`
    const before = await owner.call(`GET ${path}`)
    for (const body of [
      { status: 'paused' },
      { cancel_at_next_billing_date: true, cancellation_comment: 'x' },
      { status: 'cancelled' },
    ]) {
      const { status, body: told } = await owner.call(`POST ${path}/preview`, { body })
      expect([body, status]).toEqual([body, 200])
      expect(told['subscription']).not.toEqual(before.body)
    }
    expect((await owner.call(`GET ${path}`)).text).toBe(before.text)
    const conflict = await owner.call(`POST ${path}/preview`, { body: { status: 'active' } })
    expect(conflict.body['subscription']).toMatchObject({ status: 'active' })
    const body = { status: 'paused' }
    const foreseen = await owner.call(`POST ${path}/preview`, { body })
    const done = await owner.call(`PATCH ${path}`, { body })
    const still = ({ paused_at: _, ...rest }: Body) => rest
    expect(still(foreseen.body['subscription'] as Body)).toEqual(still(done.body))
    expect((await owner.call(`PATCH ${path}`, { body: { status: 'active' } })).status).toBe(200)
  })

  it('counts exactly what a brand gives away', async () => {
    const made = await owner.call('POST /test/brands', { body: { name: 'Old' } })
    const id = String(made.body['brand_id'])
    const body = { brand_id: id }
    expect((await owner.call(`PATCH /test/products/${shop.dearer}`, { body })).status).toBe(204)
    const holds = await owner.call(`GET /test/brands/${id}/holdings`)
    expect(holds.body).toEqual({ products: 1, subscriptions: 0, collections: 0 })
    const target = { move_products_to: at.here() }
    const gone = await owner.call(`POST /test/brands/${id}/archive`, { body: target })
    expect(gone.body).toMatchObject({ products_moved: 1, subscriptions_moved: 0 })
    const after = await owner.call(`GET /test/brands/${id}/holdings`)
    expect(after.body).toEqual({ products: 0, subscriptions: 0, collections: 0 })
  })

  it('tries a meter on the newest events, for viewers, too, and makes none', async () => {
    const meter = {
      name: 'Tried',
      event_name: 'never.sent',
      aggregation: { type: 'count' },
      measurement_unit: 'x',
    }
    const before = items(await owner.call('GET /test/meters')).length
    const tried = await viewer.call('POST /test/meters/preview', { body: meter })
    expect([tried.status, tried.body]).toEqual([
      200,
      { matched: 0, of: 0, aggregate: null, events: [] },
    ])
    const wrong = { body: { ...meter, aggregation: { type: 'median' } } }
    expect((await viewer.call('POST /test/meters/preview', wrong)).status).toBe(422)
    expect(items(await owner.call('GET /test/meters')).length).toBe(before)
  })
})

describe('papers', () => {
  it('are for who is logged in, of the own business', async () => {
    const target = `GET /test/invoices/payments/${shop.payment}`
    const paper = await owner.call(target)
    expect([paper.status, paper.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect((await viewer.call(target)).status).toBe(200)
    expect((await stranger.call(target)).status).toBe(404)
    expect((await at.nobody().call(target)).status).toBe(401)
    const plain = await at.nobody().call(`GET ~/invoices/payments/${shop.payment}`)
    expect(plain.status).toBe(401)
  })
})

describe('CSV', () => {
  const lists = [
    'addons',
    'balances/ledger',
    'brands',
    'credit-entitlements',
    'customers',
    'discounts',
    'disputes',
    'events',
    'license_keys',
    'meters',
    'payments',
    'payouts',
    'product-collections',
    'products',
    'refunds',
    'subscriptions',
  ]

  it('is there of every list, says what the list says, and nothing of another business', async () => {
    for (const list of lists) {
      const shown = await viewer.call(`GET /test/${list}?page_size=100`)
      const file = await viewer.call(`GET /test/export/${list}`)
      expect([list, file.status]).toEqual([list, 200])
      expect(file.headers['content-disposition']).toContain('.csv"')
      const lines = file.text.trimEnd().split('\r\n')
      expect([list, lines.length]).toEqual([list, items(shown).length + 1])
      const other = await stranger.call(`GET /test/export/${list}`)
      expect([list, other.text]).not.toContain(shop.customer)
      expect((await at.nobody().call(`GET /test/export/${list}`)).status).toBe(401)
    }
  })

  it('goes on over many pages, each row once, also of a list without pages', async () => {
    for (let made = 0; made < 101; made += 1) {
      const body = { name: `Many ${made}`, email: `many-${made}@example.com` }
      const [customer, brand] = await Promise.all([
        owner.call('POST /live/customers', { body }),
        owner.call('POST /live/brands', { body: { name: `Brand ${made}` } }),
      ])
      expect(customer.status).toBe(200)
      if (brand.status !== 200) expect(brand.body['code']).not.toBe('INTERNAL_SERVER_ERROR')
    }
    for (const list of ['customers', 'brands']) {
      const { text } = await owner.call(`GET /live/export/${list}`)
      const lines = text.trimEnd().split('\r\n')
      expect(new Set(lines).size).toBe(lines.length)
      if (list === 'customers') expect(lines).toHaveLength(102)
    }
  }, 60_000)

  it('carries out nothing in a spreadsheet, whatever strangers have written', async () => {
    const formulas = ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '=cmd|" /C calc"!A0', 'a,"b"']
    for (const [index, name] of formulas.entries()) {
      const body = { name, email: `formula-${index}@example.com` }
      const made = await owner.call('POST /test/customers', { body })
      expect([name, made.status]).toEqual([name, 200])
    }
    const { text } = await owner.call('GET /test/export/customers')
    expect(text).toContain(`'=1+1`)
    expect(text).toContain(`"'=cmd|"" /C calc""!A0"`)
    expect(text).toContain(`"a,""b"""`)
    expect(text).not.toMatch(/(^|,)"?[=+@\t-](?!\d+(\.\d+)?(,|\r))/m)
  })
})

describe('limits and the overview', () => {
  it('tells the tier and what is left of it', async () => {
    const { status, body } = await viewer.call('GET /test/limits')
    expect([status, Object.keys(body)]).toEqual([
      200,
      ['tier', 'unlimited', 'per_second', 'per_minute', 'nearest_limit', 'remaining'],
    ])
  })

  it('sums up the money that was taken and the credits that moved, of the own business', async () => {
    const { status, body } = await viewer.call('GET /test/overview/totals')
    const { money, credits } = body as Readonly<Record<string, Totals>>
    const paid = await viewer.call('GET /test/payments?status=succeeded&page_size=100')
    const amount = items(paid).reduce((sum, one) => sum + Number(one['total_amount']), 0)
    expect([status, money?.items]).toEqual([
      200,
      [{ currency: 'EUR', amount, payments: items(paid).length }],
    ])
    expect(amount).toBeGreaterThan(0)
    expect(credits?.items).toContainEqual({
      credit_entitlement_id: shop.credit,
      name: 'Render minutes',
      unit: 'minute',
      granted: '600',
      used: '0',
    })
    const other = await stranger.call('GET /test/overview/totals')
    expect([other.body['money'], other.body['credits']]).toMatchObject([
      { items: [] },
      { items: [] },
    ])
    expect((await at.nobody().call('GET /test/overview/totals')).status).toBe(401)
  })

  it('says of all businesses together nothing to one that has neighbours', async () => {
    const { status, body } = await viewer.call('GET /test/overview?span=hour')
    expect(status).toBe(200)
    for (const one of body['items'] as readonly Body[]) {
      expect(one['settled_per_second']).toBeNull()
    }
    expect((await viewer.call('GET /test/overview?span=year')).status).toBe(422)
  })
})

interface Totals {
  readonly since: string | null
  readonly items: readonly Body[]
}
