import { describe, expect, it } from 'vitest'
import { openReceiver } from '../support/webhooks/receiver.ts'
import { at } from './here.ts'
import { onePaid } from './shopper.ts'

const refused = async (body: object) => {
  const { status, body: answer } = await at.call('POST /refunds', { body })
  return [status, answer.code]
}

describe('refunds', () => {
  it('give back parts and the rest, and say so everywhere [refunds#what-is-left]', async () => {
    const receiver = await openReceiver()
    const client = at.client()
    const { id } = await client.webhooks.create({
      url: receiver.url,
      filter_types: ['refund.succeeded'],
    })
    try {
      const { payment_id, productId, creditId, customerId } = await onePaid(at)
      const part = await client.refunds.create({
        payment_id,
        items: [{ item_id: productId, amount: 333 }],
        reason: 'did not fit',
        metadata: { ticket: 7 },
      })
      expect(part).toMatchObject({
        amount: 333,
        currency: 'EUR',
        is_partial: true,
        metadata: { ticket: 7 },
        reason: 'did not fit',
        status: 'succeeded',
        customer: { customer_id: customerId },
      })
      expect(await client.refunds.retrieve(part.refund_id)).toEqual(part)
      const lines = await client.payments.retrieveLineItems(payment_id)
      expect(lines.items).toMatchObject([{ amount: 999, refundable_amount: 666 }])
      const seen = async () => {
        const { items } = await client.payments.list({ customer_id: customerId })
        const { refund_status, refunds } = await client.payments.retrieve(payment_id)
        const amounts = refunds.map(({ amount }) => amount)
        return [refund_status, items[0]?.refund_status, amounts]
      }
      expect(await seen()).toEqual(['partial', 'partial', [333]])
      const held = () =>
        client.creditEntitlements.balances.retrieve(customerId, {
          credit_entitlement_id: creditId,
        })
      expect((await held()).balance).toBe('100')
      const rest = await client.refunds.create({ payment_id })
      expect(rest).toMatchObject({ amount: 666, is_partial: true })
      expect(await seen()).toEqual(['full', 'full', [666, 333]])
      expect((await held()).balance).toBe('0')
      expect(await refused({ payment_id })).toEqual([400, 'PAYMENT_ALREADY_REFUNDED'])
      const told = () =>
        receiver.received
          .map(({ body }) => JSON.parse(body) as { type: string; data: { refund_id: string } })
          .filter(({ data }) => data.refund_id === rest.refund_id)
      await expect.poll(() => told().length, { timeout: 20_000 }).toBe(1)
      expect(told()[0]).toMatchObject({
        type: 'refund.succeeded',
        data: { ...JSON.parse(JSON.stringify(rest)), payload_type: 'Refund' },
      })
      const list = async (query: object) =>
        (await client.refunds.list({ customer_id: customerId, ...query })).items.map(
          ({ amount }) => amount,
        )
      expect(await list({})).toEqual([666, 333])
      expect(await list({ status: 'succeeded', page_size: 1 })).toEqual([666])
      expect(await list({ status: 'pending' })).toEqual([])
      expect(await list({ subscription_id: 'sub_x' })).toEqual([])
      expect(await list({ created_at_lte: '2020-01-01T00:00:00Z' })).toEqual([])
    } finally {
      await client.webhooks.delete(id)
      await receiver.close()
    }
  })

  it('can be asked for again with a key [refunds#keys]', async () => {
    const { payment_id, productId } = await onePaid(at)
    const ask = (key: string, amount = 100) =>
      at.call('POST /refunds', {
        body: { payment_id, items: [{ item_id: productId, amount }] },
        headers: { 'Idempotency-Key': key },
      })
    const first = await ask('ticket 7')
    expect(first).toMatchObject({ status: 200, body: { amount: 100 } })
    expect((await ask('ticket 7')).body).toEqual(first.body)
    expect(await ask('ticket 7', 101)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    const long = await ask('k'.repeat(256))
    expect(long).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST_PARAMETERS' } })
    const accented = await ask('cl\u00e9 7')
    expect(accented).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST_PARAMETERS' } })
    expect(accented.body.message).toContain('printable ASCII')
    expect((await at.client().payments.retrieve(payment_id)).refunds).toHaveLength(1)
  })

  it('are refused with a code, and then nothing changes [refunds#refusals]', async () => {
    const { payment_id, productId } = await onePaid(at)
    const declined = await onePaid(at, '4000000000000002')
    const item = (more: object) => ({ payment_id, items: [{ item_id: productId, ...more }] })
    expect(await refused({ payment_id: declined.payment_id })).toEqual([
      400,
      'PAYMENT_NOT_SUCCEEDED',
    ])
    expect(await refused({})).toEqual([422, 'INVALID_REQUEST_BODY'])
    // What would be a part must never give back everything.
    for (const field of ['amount', 'item_id', 'tax_inclusive', 'line_items']) {
      const beside = await at.call('POST /refunds', { body: { payment_id, [field]: 100 } })
      expect([beside.status, beside.body.message]).toEqual([422, `${field} belongs into items.`])
    }
    expect(await refused({ payment_id, items: [{}] })).toEqual([422, 'INVALID_REQUEST_BODY'])
    expect(await refused({ payment_id, reason: 'r'.repeat(3_001) })).toEqual([
      422,
      'INVALID_REQUEST_BODY',
    ])
    expect(await refused({ payment_id, items: [] })).toEqual([400, 'NOTHING_TO_REFUND'])
    expect(await refused({ payment_id: 'pay_x' })).toEqual([404, 'NOT_FOUND'])
    expect(await refused(item({ amount: 1_000 }))).toEqual([
      422,
      'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH',
    ])
    expect(await refused(item({ amount: 0 }))).toEqual([422, 'LINE_ITEM_REFUND_AMOUNT_TOO_LOW'])
    expect(await refused({ payment_id, items: [{ item_id: 'pdt_x' }] })).toEqual([
      404,
      'LINE_ITEM_NOT_FOUND',
    ])
    const wrong = await at.call('GET /refunds?status=done')
    expect([wrong.status, wrong.body.code]).toEqual([422, 'INVALID_QUERY_PARAMS'])
    expect((await at.call('GET /refunds/ref_x')).status).toBe(404)
    const reading = await at.call('POST /refunds', {
      body: { payment_id },
      key: at.keys.read,
    })
    expect([reading.status, reading.body.code]).toEqual([403, 'UNAUTHORIZED'])
    expect((await at.client().payments.retrieve(payment_id)).refunds).toEqual([])
  })
})
