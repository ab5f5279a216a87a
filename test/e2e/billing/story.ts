import DodoPayments from 'dodopayments'
import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { onceMeasured } from '../once-measured.ts'
import { fresh, subscriber } from '../plan.ts'

describe('a business and its customer', () => {
  it('see usage turn into deducted credits', async () => {
    const client = at.client()
    const one = await subscriber(at, {
      meters: [{ aggregation: { type: 'sum', key: 'tokens' }, unitsPerCredit: '1000' }],
    })
    const subscription = await client.subscriptions.retrieve(one.subscriptionId)
    expect(subscription.status).toBe('active')
    expect(await one.balance()).toEqual({ balance: '100', overage: '0' })

    const events = [
      { event_id: fresh('call'), metadata: { tokens: 1500, model: 'large' } },
      { event_id: fresh('call'), metadata: { tokens: '250.5', model: 'small' } },
    ].map((event) => ({
      ...event,
      customer_id: one.customerId,
      event_name: one.eventNames[0] ?? '',
    }))
    const { data: receipt, response } = await client.usageEvents.ingest({ events }).withResponse()
    expect(receipt).toEqual({ ingested_count: 2 })
    const position = response.headers.get('Sluice-Position') ?? ''
    expect(position).not.toBe('')

    expect(await one.balance(position)).toEqual({ balance: '98.25', overage: '0' })
    const grants = await client.creditEntitlements.balances.listGrants(one.customerId, {
      credit_entitlement_id: one.creditId,
    })
    const [grant] = grants.items
    expect(grants.items).toEqual([
      {
        id: expect.stringMatching(/^cgr_/),
        created_at: subscription.previous_billing_date,
        credit_entitlement_id: one.creditId,
        customer_id: one.customerId,
        expires_at: null,
        initial_amount: '100',
        is_expired: false,
        is_rolled_over: false,
        metadata: {},
        parent_grant_id: null,
        remaining_amount: '98.25',
        rollover_count: 0,
        source_id: one.subscriptionId,
        source_type: 'subscription',
        updated_at: expect.any(String),
      },
    ])
    const same = {
      brand_id: at.businessId,
      business_id: at.businessId,
      credit_entitlement_id: one.creditId,
      customer_id: one.customerId,
      description: null,
      grant_id: grant?.id,
      id: expect.stringMatching(/^cle_/),
      metadata: {},
      overage_after: '0',
      overage_before: '0',
    }
    expect(await one.ledger(position)).toEqual([
      {
        ...same,
        amount: '1.75',
        balance_after: '98.25',
        balance_before: '100',
        created_at: expect.any(String),
        is_credit: false,
        reference_id: one.meterIds[0],
        reference_type: 'meter',
        transaction_type: 'credit_deducted',
      },
      {
        ...same,
        amount: '100',
        balance_after: '100',
        balance_before: '0',
        created_at: subscription.previous_billing_date,
        is_credit: true,
        reference_id: one.subscriptionId,
        reference_type: 'subscription',
        transaction_type: 'credit_added',
      },
    ])
    const usage = await client.subscriptions.retrieveCreditUsage(one.subscriptionId)
    expect(usage).toMatchObject({
      items: [{ balance: '98.25', overage: '0', limit_reached: false, remaining_headroom: null }],
      subscription_id: one.subscriptionId,
    })
    const read = await client.subscriptions.retrieve(one.subscriptionId)
    expect(read.credit_entitlement_cart).toMatchObject([{ remaining_balance: '98.25' }])
    for (const event of events) {
      expect(await client.usageEvents.retrieve(event.event_id)).toMatchObject(event)
    }
  })

  it('adjust a balance by hand, each key once [resources#adjustments]', async () => {
    const client = at.client()
    const one = await subscriber(at)
    const path = { credit_entitlement_id: one.creditId }
    const { balances } = client.creditEntitlements
    const adjust = (params: Partial<Parameters<typeof balances.createLedgerEntry>[1]>) =>
      balances.createLedgerEntry(one.customerId, {
        ...path,
        amount: '1',
        entry_type: 'credit' as const,
        ...params,
      })
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const given = await adjust({
      amount: '12.50',
      reason: 'sorry',
      expires_at: expiresAt,
      idempotency_key: 'gift-1',
      metadata: { ticket: 7, by: 'ada', vip: true },
    })
    expect(given).toEqual({
      id: expect.stringMatching(/^cle_/),
      amount: '12.5',
      balance_after: '112.5',
      balance_before: '100',
      created_at: expect.any(String),
      credit_entitlement_id: one.creditId,
      customer_id: one.customerId,
      entry_type: 'credit',
      grant_id: expect.stringMatching(/^cgr_/),
      is_credit: true,
      overage_after: '0',
      overage_before: '0',
      reason: 'sorry',
    })
    await expect(adjust({ idempotency_key: 'gift-1' })).rejects.toThrow(DodoPayments.ConflictError)
    const grants = await balances.listGrants(one.customerId, path)
    expect(grants.items[0]).toMatchObject({
      id: given.grant_id,
      source_type: 'api',
      source_id: null,
      initial_amount: '12.5',
      metadata: { ticket: 7, by: 'ada', vip: true },
    })
    expect(Date.parse(grants.items[0]?.expires_at ?? '')).toBe(Date.parse(expiresAt))

    const taken = await adjust({ entry_type: 'debit', amount: '105', idempotency_key: 'take-1' })
    expect(taken).toMatchObject({
      amount: '105',
      balance_before: '112.5',
      balance_after: '7.5',
      entry_type: 'debit',
      grant_id: null,
      is_credit: false,
      reason: null,
    })
    await expect(adjust({ entry_type: 'debit', idempotency_key: 'take-1' })).rejects.toThrow(
      DodoPayments.ConflictError,
    )
    await expect(adjust({ entry_type: 'debit', amount: '7.51' })).rejects.toThrow(
      DodoPayments.BadRequestError,
    )
    const ledger = await one.ledger()
    expect(
      ledger.map(({ transaction_type: type, is_credit: isCredit, amount }) => [
        type,
        isCredit,
        amount,
      ]),
    ).toEqual([
      ['manual_adjustment', false, '5'],
      ['manual_adjustment', false, '100'],
      ['manual_adjustment', true, '12.5'],
      ['credit_added', true, '100'],
    ])
    // Its metadata is on the grant: no subscription or payment is its source.
    // [resources#ledger-entries, resources#adjustments]
    expect(ledger[2]).toMatchObject({ description: 'sorry', reference_type: 'api' })
    expect(ledger[2]?.metadata).toEqual({})
    ledger.slice(1).forEach((entry, index) => {
      expect(ledger[index]?.balance_before).toBe(entry.balance_after)
    })
  })

  it('debit what usage has left, at the position that they name', async () => {
    const client = at.client()
    const one = await subscriber(at, { meters: [{ aggregation: { type: 'sum', key: 'n' } }] })
    const position = await one.spend({ n: 99.5 })
    const body = { credit_entitlement_id: one.creditId, amount: '1', entry_type: 'debit' } as const
    const headers = { 'Sluice-After': position }
    const { balances } = client.creditEntitlements
    const debit = onceMeasured(() => balances.createLedgerEntry(one.customerId, body, { headers }))
    await expect(debit).rejects.toThrow(DodoPayments.BadRequestError)
    expect(await one.balance()).toEqual({ balance: '0.5', overage: '0' })
  })

  it('let one of many racing requests with one key through', async () => {
    const one = await subscriber(at)
    const path = { credit_entitlement_id: one.creditId, idempotency_key: 'race' }
    const racing = await Promise.allSettled(
      Array.from({ length: 12 }, () =>
        at.client().creditEntitlements.balances.createLedgerEntry(one.customerId, {
          ...path,
          amount: '3',
          entry_type: 'debit',
        }),
      ),
    )
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await one.balance()).balance).toBe('97')
  })

  it('keep the balance of a customer who is subscribed twice in one account', async () => {
    const client = at.client()
    const one = await subscriber(at)
    await client.subscriptions.create({
      billing: { country: 'FR' },
      customer: { customer_id: one.customerId },
      product_id: one.productId,
      quantity: 1,
    })
    // The earlier one takes the usage; the oldest grant pays.
    expect((await one.balance(await one.use({}, {}, {}))).balance).toBe('197')
    const grants = await client.creditEntitlements.balances.listGrants(one.customerId, {
      credit_entitlement_id: one.creditId,
    })
    expect(grants.items.map((grant) => grant.remaining_amount)).toEqual(['100', '97'])
  })

  it('spend the oldest credits first, across grants', async () => {
    const client = at.client()
    const one = await subscriber(at, { meters: [{ aggregation: { type: 'sum', key: 'n' } }] })
    const path = { credit_entitlement_id: one.creditId }
    const { balances } = client.creditEntitlements
    await balances.createLedgerEntry(one.customerId, {
      ...path,
      amount: '50',
      entry_type: 'credit',
    })
    await one.ledger(await one.spend({ n: 130 }))
    const [second, first] = (await balances.listGrants(one.customerId, path)).items
    expect([first?.remaining_amount, second?.remaining_amount]).toEqual(['0', '20'])
    const deducted = (await one.ledger()).filter((entry) => !entry.is_credit)
    expect(deducted.map((entry) => [entry.grant_id, entry.amount])).toEqual([
      [second?.id, '30'],
      [first?.id, '100'],
    ])
    for (const [status, found] of [
      ['active', [second?.id]],
      ['depleted', [first?.id]],
      ['expired', []],
    ] as const) {
      const listed = await balances.listGrants(one.customerId, { ...path, status })
      expect(listed.items.map((grant) => grant.id)).toEqual(found)
    }
  })
})
