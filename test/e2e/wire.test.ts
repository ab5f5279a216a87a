import { describe, expect, it } from 'vitest'
import { at } from './here.ts'
import { onceMeasured } from './once-measured.ts'
import { fresh, subscriber } from './plan.ts'

describe('the clock', () => {
  const advance = (by: unknown) => at.call('POST /clock/advance', { body: { by } })

  it('moves by a part of a second, too', async () => {
    expect((await onceMeasured(() => advance('PT0.5S'))).status).toBe(200)
  })

  it.each(['XX', 'P0.5M', 'PT0.0000001S', 'P1.5DT1H', '-P1D', ''])(
    'does not move by %j, and says what it moves by',
    async (by) => {
      const answer = await advance(by)
      expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_REQUEST_BODY'])
      const { message } = answer.body
      expect(message).toMatch(by === '' ? /^by must not be empty/ : /^by must be an ISO 8601.*only/)
    },
  )
})

describe('through the public client', () => {
  it('null clears what a subscription overrides, and its metadata [requests#nulls]', async () => {
    const one = await subscriber(at)
    const { subscriptions } = at.client()
    const cart = async (change: object) => {
      const own = { credit_entitlement_id: one.creditId, ...change }
      await subscriptions.update(one.subscriptionId, { credit_entitlement_cart: [own] })
      return (await subscriptions.retrieve(one.subscriptionId)).credit_entitlement_cart[0]
    }
    const bought = await cart({})
    expect(await cart({ credits_amount: '7', expires_after_days: 9 })).toMatchObject({
      credits_amount: '7',
      expires_after_days: 9,
    })
    expect(await cart({ credits_amount: null })).toEqual({ ...bought, expires_after_days: 9 })
    expect(await cart({ expires_after_days: null })).toEqual(bought)
    const metadata = async (sent: Record<string, string> | null) =>
      (await subscriptions.update(one.subscriptionId, { metadata: sent })).metadata
    expect(await metadata({ a: 'b' })).toEqual({ a: 'b' })
    expect(await metadata(null)).toEqual({})
  })

  it('finds customers by parts of their e-mail and name, in any letters [requests#lists]', async () => {
    const { customers } = at.client()
    const name = fresh('Grace').replaceAll(' ', '-')
    const made = await customers.create({ email: `${name}@Example.com`, name })
    for (const query of [
      { email: `${name.toUpperCase()}@example` },
      { name: name.toLowerCase() },
    ]) {
      const { items } = await customers.list({ ...query, page_number: 0 })
      expect(items.map((item) => item.customer_id)).toEqual([made.customer_id])
    }
  })

  it('refuses metadata that would be stored altered, wherever it stands', async () => {
    const one = await subscriber(at)
    const refused = async (path: `POST /${string}`, body: object) => {
      const raw = JSON.stringify({ ...body, metadata: {} }).replace(
        '"metadata":{}',
        '"metadata":{"n":1e400}',
      )
      const answer = await at.call(path, { raw })
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST_PARAMETERS'])
      expect(answer.body.message).toContain('metadata.n is an integer beyond')
    }
    await refused(
      `POST /credit-entitlements/${one.creditId}/balances/${one.customerId}/ledger-entries`,
      { entry_type: 'credit', amount: '1' },
    )
    await refused('POST /customers', { email: 'a@example.com', name: 'A' })
  })
})
