import type DodoPayments from 'dodopayments'
import { describe, expect, it } from 'vitest'
import { openReceiver } from '../support/webhooks/receiver.ts'
import { at } from './here.ts'
import { onceMeasured } from './once-measured.ts'
import { fresh } from './plan.ts'
import { checkout, latestOf, onePaid, onePaidOut, pays, shopper } from './shopper.ts'

describe('payouts', () => {
  it('are read with all that they pay, and told [resources#payouts, payouts#breakup]', async () => {
    const receiver = await openReceiver()
    const client = at.client()
    await client.webhooks.create({ url: receiver.url, filter_types: ['payout.success'] })
    const { amount, id } = await onePaidOut(at)
    const [payout] = (await client.payouts.list()).items
    expect(payout).toMatchObject({
      payout_id: id,
      business_id: at.businessId,
      amount,
      currency: 'EUR',
      status: 'success',
      payment_method: 'manual',
      fee: 0,
      tax: 0,
      refunds: 0,
      chargebacks: 0,
      remarks: 'by wire',
    })
    const created = payout?.created_at ?? ''
    const among = async (query: object) => (await client.payouts.list(query)).items.length
    expect(await among({ created_at_gte: created, created_at_lte: created })).toBe(1)
    expect(await among({ created_at_lte: '2020-01-01T00:00:00Z' })).toBe(0)
    expect(await client.payouts.breakup.retrieve(id)).toEqual([
      { event_type: 'payment', total: amount },
    ])
    const { items } = await client.payouts.breakup.details.list(id, { page_size: 1 })
    expect(items).toMatchObject([
      { event_type: 'payment', original_amount: amount, original_currency: 'EUR' },
    ])
    const csv = await at.call(`GET /payouts/${id}/breakup/details/csv`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('content-length')).toBe(String(Buffer.byteLength(csv.text)))
    const entry = items[0]
    expect(csv.text.split('\r\n')).toEqual([
      'Ledger ID,Event Type,Original Amount,Original Currency,Reference Object ID,Description,Created At,USD Equivalent Amount,Payout Currency Amount',
      `${entry?.id},payment,${amount},EUR,${entry?.reference_object_id},,${entry?.created_at},${amount},${amount}`,
      '',
    ])
    const paper = await fetch(payout?.payout_document_url ?? '')
    expect([paper.status, paper.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const same = await client.invoices.payments.retrievePayout(id)
    expect(await same.arrayBuffer()).toEqual(await paper.arrayBuffer())
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1)
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'payout.success',
      data: { payload_type: 'Payout', payout_id: id, amount, status: 'success' },
    })
    for (const path of ['breakup', 'breakup/details', 'breakup/details/csv']) {
      expect((await at.call(`GET /payouts/pyt_x/${path}`)).status).toBe(404)
    }
    expect((await at.call('GET /payouts?created_at_gte=x')).status).toBe(422)
    await receiver.close()
  })
})

interface Told {
  readonly explains: string
  readonly id: string
  readonly paper: string | null
  readonly causes: readonly { readonly id: string }[]
  readonly effects: readonly { readonly id: string }[]
  readonly lines: readonly {
    readonly item_id: string
    readonly amount: number
    readonly usage: { readonly consumed: string; readonly events: readonly object[] } | null
  }[]
  readonly ledger_entries: readonly { readonly id: string }[]
}

const explained = async (id: string) => {
  const { status, text } = await at.call(`GET /explanations/${id}`)
  return { status, told: JSON.parse(text) as Told }
}
const idsOf = (links: readonly { readonly id: string }[]) => links.map(({ id }) => id)

/** A subscription of one free credit, whose calls cost 10 cents and a credit each, paid by card. */
async function metered() {
  const client = at.client()
  const name = fresh('call').replaceAll(' ', '.')
  const { id: meterId } = await client.meters.create({
    name,
    event_name: name,
    aggregation: { type: 'count' },
    measurement_unit: 'call',
  })
  const { id: creditMeterId } = await client.meters.create({
    name: `${name} in credits`,
    event_name: name,
    aggregation: { type: 'count' },
    measurement_unit: 'call',
  })
  const { id: creditId } = await client.creditEntitlements.create({
    name: `credits of ${name}`,
    unit: 'credit',
    precision: 0,
    overage_enabled: true,
    overage_behavior: 'invoice_at_billing',
    currency: 'EUR',
    price_per_unit: '25',
    rollover_enabled: false,
  })
  const price: DodoPayments.Price = {
    type: 'usage_based_price',
    currency: 'EUR',
    discount: 0,
    fixed_price: 500,
    purchasing_power_parity: false,
    payment_frequency_count: 1,
    payment_frequency_interval: 'Month',
    subscription_period_count: 10,
    subscription_period_interval: 'Year',
    meters: [
      { meter_id: meterId, price_per_unit: '10', free_threshold: 1 },
      {
        meter_id: creditMeterId,
        credit_entitlement_id: creditId,
        meter_units_per_credit: '1',
      },
    ],
  }
  const credit_entitlements = [{ credit_entitlement_id: creditId, credits_amount: '1' }]
  const asked = { name, tax_category: 'saas', price, credit_entitlements } as const
  const product = await client.products.create(asked)
  const { session_id: sessionId } = await checkout(at, product.product_id)
  await shopper(at).pay(sessionId, pays)
  const { customer, subscription_id } = await latestOf(at, sessionId)
  const events = [1, 2, 3].map((n) => ({
    event_id: `${name}-${n}`,
    customer_id: customer.customer_id,
    event_name: name,
  }))
  const sent = await at.call('POST /events/ingest', { body: { events } })
  const position = sent.headers.get('sluice-position') ?? ''
  await at.call(`GET /events/${name}-3`, { headers: { 'Sluice-After': position } })
  return { meterId, name, sessionId, subscriptionId: subscription_id ?? '' }
}

describe('explanations of money', () => {
  it('lead from a line of usage to its meter and events, and on [payouts#explanations]', async () => {
    const { meterId, name, sessionId, subscriptionId } = await metered()
    await onceMeasured(() => at.call('POST /clock/advance', { body: { by: 'P32D' } }))
    const client = at.client()
    const { items } = await client.payments.list({ subscription_id: subscriptionId })
    const [renewal, first] = items
    expect([renewal?.total_amount, items.length]).toEqual([570, 2])
    const { told } = await explained(renewal?.payment_id ?? '')
    expect(told).toMatchObject({ explains: 'payment', causes: [{ id: subscriptionId }, {}] })
    // Overage leads to the entry of credits that charged it.
    const charged = await at.call(`GET /credit-ledger-entries/${told.causes[1]?.id}/explanation`)
    expect(JSON.parse(charged.text).entry).toMatchObject({
      transaction_type: 'overage_charged',
      amount: '2',
    })
    const line = told.lines.find(({ item_id }) => item_id === meterId)
    expect(line).toMatchObject({
      amount: 20,
      sentence: expect.stringContaining('1 of them free, at 0.1 EUR each'),
      usage: { consumed: '3', free: '1' },
    })
    expect(line?.usage?.events).toMatchObject([
      { event_id: `${name}-3` },
      { event_id: `${name}-2` },
      { event_id: `${name}-1` },
    ])
    expect((await explained(told.paper ?? '')).told).toEqual(told)
    expect(idsOf((await explained(first?.payment_id ?? '')).told.causes)).toContain(sessionId)

    const refund = await client.refunds.create({ payment_id: told.id })
    const ofRefund = (await explained(refund.refund_id)).told
    expect(idsOf(ofRefund.causes)).toContain(told.id)
    const { id, amount } = await onePaidOut(at)
    const after = (await explained(renewal?.payment_id ?? '')).told
    expect(idsOf(after.effects)).toEqual([refund.refund_id, id])
    const payout = (await explained(id)).told
    const [booked] = ofRefund.ledger_entries
    expect(idsOf(payout.causes)).toContain(booked?.id)
    expect(payout.ledger_entries).toMatchObject([{ event_type: 'payout', amount }])
    const entry = (await explained(booked?.id ?? '')).told
    expect(entry).toMatchObject({ explains: 'business_ledger_entry', effects: [{ id }] })
    expect(idsOf(entry.causes)).toEqual([refund.refund_id, ...idsOf(ofRefund.causes)])

    const { items: disputed } = await client.disputes.list()
    expect(disputed).toEqual([])
    const paid = await onePaid(at, '4000000000000259')
    const [dispute] = (await client.disputes.list()).items
    const ofDispute = (await explained(dispute?.dispute_id ?? '')).told
    expect(idsOf(ofDispute.causes)).toContain(paid.payment_id)

    const wrong = ['pay_x', 'ref_x', 'dis_x', 'pyt_x', 'ble_x', 'INV-999999', 'cus_x']
    for (const one of wrong) expect((await explained(one)).status).toBe(404)
    const elsewhere = await at.call(`GET /explanations/${id}`, { live: true, key: at.keys.live })
    expect(elsewhere.status).toBe(404)
    expect(await at.sluice('explain', after.paper ?? '', '--business', at.businessId)).toEqual(
      after,
    )
  })
})
