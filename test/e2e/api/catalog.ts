import DodoPayments from 'dodopayments'
import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { fresh } from '../plan.ts'

let client: DodoPayments
beforeAll(() => {
  client = at.client()
})

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const idOf = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[\\w-]{21}$`))
const credits = () => ({
  name: fresh('credits'),
  unit: 'credit',
  precision: 2,
  overage_enabled: false,
  rollover_enabled: false,
})

describe('customers', () => {
  it('are made, read, and changed', async () => {
    const made = await client.customers.create({ email: 'ada@example.com', name: 'Ada L.' })
    const whole = {
      business_id: at.businessId,
      created_at: time,
      customer_id: idOf('cus'),
      email: 'ada@example.com',
      metadata: {},
      name: 'Ada L.',
      phone_number: null,
    }
    expect(made).toEqual(whole)
    const changed = await client.customers.update(made.customer_id, {
      name: 'Ada',
      phone_number: '+49 1',
      metadata: { vip: true, tier: 3, note: 'n' },
    })
    expect(changed).toEqual({
      ...made,
      name: 'Ada',
      phone_number: '+49 1',
      metadata: { vip: true, tier: 3, note: 'n' },
    })
    const cleared = await client.customers.update(made.customer_id, {
      phone_number: null,
      email: null,
    })
    expect(cleared).toEqual({ ...changed, phone_number: null })
    expect(await client.customers.retrieve(made.customer_id)).toEqual(cleared)
  })

  it('are found by e-mail, part of a name, and date', async () => {
    const made = await client.customers.create({
      email: 'Find.Me@example.com',
      name: '100% _ÄRGER_',
    })
    const found = async (query: DodoPayments.CustomerListParams) =>
      (await client.customers.list(query)).items.map((each) => each.customer_id)
    const [id] = [made.customer_id]
    for (const query of [
      { name: 'ärger' },
      { name: '0% _' },
      { email: 'Find.Me@example.com' },
      {
        email: made.email,
        name: 'Ä',
        created_at_gte: made.created_at,
        created_at_lte: made.created_at,
      },
    ]) {
      expect(await found(query), JSON.stringify(query)).toEqual([id])
    }
    for (const query of [
      { name: '100 %' },
      { name: made.name, email: 'other@example.com' },
      { name: made.name, created_at_gte: '2100-01-01T00:00:00Z' },
      { name: made.name, created_at_lte: '2020-01-01T00:00:00+01:00' },
    ]) {
      expect(await found(query), JSON.stringify(query)).toEqual([])
    }
  })
})

describe('meters', () => {
  it('are made, read, archived and brought back', async () => {
    const made = await client.meters.create({
      name: 'Tokens',
      event_name: 'call',
      aggregation: { type: 'max', key: 'tokens' },
      measurement_unit: 'token',
    })
    const whole = {
      id: idOf('mtr'),
      business_id: at.businessId,
      name: 'Tokens',
      event_name: 'call',
      aggregation: { type: 'max', key: 'tokens' },
      measurement_unit: 'token',
      description: null,
      filter: null,
      created_at: time,
      updated_at: time,
    }
    expect(made).toEqual(whole)
    const listed = async (archived?: boolean) => {
      const page = await client.meters.list({
        page_size: 100,
        ...(archived === undefined ? {} : { archived }),
      })
      return page.items.some((meter) => meter.id === made.id)
    }
    expect([await listed(), await listed(false), await listed(true)]).toEqual([true, true, false])
    await client.meters.archive(made.id)
    expect([await listed(), await listed(false), await listed(true)]).toEqual([false, false, true])
    expect((await at.call(`DELETE /meters/${made.id}`)).body.code).toBe('METER_IS_DELETED')
    expect(await client.meters.retrieve(made.id)).toEqual({ ...made, updated_at: time })
    await client.meters.unarchive(made.id)
    expect([await listed(), await listed(true)]).toEqual([true, false])
    await expect(client.meters.unarchive(made.id)).rejects.toThrow(DodoPayments.NotFoundError)
    const statuses = await Promise.all(
      [at.call(`DELETE /meters/${made.id}`), at.call('DELETE /meters/mtr_nobody')].map(
        async (sent) => {
          const { status, text } = await sent
          return status === 204 ? [status, text] : [status]
        },
      ),
    )
    expect(statuses).toEqual([[204, ''], [404]])
  })

  it('keep a filter three levels deep as it was written', async () => {
    const filter = {
      conjunction: 'or' as const,
      clauses: [
        {
          conjunction: 'and' as const,
          clauses: [
            {
              conjunction: 'or' as const,
              clauses: [{ key: 'a b', operator: 'contains' as const, value: 'x' }],
            },
          ],
        },
      ],
    }
    const made = await client.meters.create({
      name: 'm',
      event_name: 'e',
      aggregation: { type: 'count' },
      measurement_unit: 'u',
      filter,
    })
    expect((await client.meters.retrieve(made.id)).filter).toEqual(filter)
    const deeper = { conjunction: 'and', clauses: [filter] }
    const refused = await at.call('POST /meters', { body: { ...made, filter: deeper } })
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        code: 'INVALID_REQUEST_BODY',
        message: 'filter must be at most 3 levels deep.',
        doc_url: '/docs/requests#refusals',
      },
    ])
  })
})

describe('credit entitlements', () => {
  it('are made, changed, deleted and brought back', async () => {
    const made = await client.creditEntitlements.create({
      ...credits(),
      name: fresh('all'),
      description: 'd',
      expires_after_days: 30,
      overage_limit: 7,
      overage_enabled: true,
      price_per_unit: '0.50',
      currency: 'EUR',
      overage_behavior: 'carry_deficit',
      rollover_enabled: true,
      rollover_percentage: 75,
      ...{
        rollover_timeframe_count: 2,
        rollover_timeframe_interval: 'Week',
        max_rollover_count: 3,
      },
    })
    expect(made).toEqual({
      id: idOf('cde'),
      business_id: at.businessId,
      name: expect.stringContaining('all'),
      unit: 'credit',
      precision: 2,
      description: 'd',
      expires_after_days: 30,
      overage_enabled: true,
      overage_limit: 7,
      overage_behavior: 'carry_deficit',
      price_per_unit: '0.5',
      currency: 'EUR',
      rollover_enabled: true,
      rollover_percentage: 75,
      rollover_timeframe_count: 2,
      max_rollover_count: 3,
      rollover_timeframe_interval: 'Week',
      created_at: time,
      updated_at: time,
      meter_links: [],
      low_balance_threshold: null,
    })
    await client.creditEntitlements.update(made.id, {
      unit: 'token',
      expires_after_days: null,
      overage_limit: null,
    })
    const changed = await client.creditEntitlements.retrieve(made.id)
    expect(changed).toEqual({
      ...made,
      unit: 'token',
      expires_after_days: null,
      overage_limit: null,
      updated_at: time,
    })
    expect(changed.updated_at > made.updated_at).toBe(true)

    await client.creditEntitlements.delete(made.id)
    for (const target of [
      `GET /credit-entitlements/${made.id}`,
      `DELETE /credit-entitlements/${made.id}`,
      `GET /credit-entitlements/${made.id}/balances`,
    ] as const) {
      expect((await at.call(target)).status, target).toBe(404)
    }
    await expect(client.creditEntitlements.update(made.id, { unit: 'x' })).rejects.toThrow(
      DodoPayments.NotFoundError,
    )
    const deleted = await client.creditEntitlements.list({ deleted: true })
    expect(deleted.items.map((each) => each.id)).toEqual([made.id])
    const taken = client.creditEntitlements.create({ ...credits(), name: made.name })
    await expect(taken).rejects.toThrow(DodoPayments.ConflictError)
    await client.creditEntitlements.undelete(made.id)
    expect(await client.creditEntitlements.retrieve(made.id)).toEqual({
      ...changed,
      updated_at: time,
    })
    await expect(client.creditEntitlements.undelete(made.id)).rejects.toThrow(
      DodoPayments.NotFoundError,
    )
    await expect(client.creditEntitlements.undelete('cde_nobody')).rejects.toThrow(
      DodoPayments.NotFoundError,
    )
  })

  it.each<[object, number, string]>([
    [{ precision: 11 }, 422, 'precision'],
    [{ precision: 1.5 }, 422, 'precision'],
    [{ name: '' }, 422, 'name'],
    [{ name: 'x'.repeat(256) }, 422, 'name'],
    [{ unit: 'x'.repeat(51) }, 422, 'unit'],
    [{ expires_after_days: 6 }, 422, 'expires_after_days'],
    [{ rollover_percentage: 101 }, 422, 'rollover_percentage'],
    [{ rollover_timeframe_count: 1 }, 422, 'rollover_timeframe_interval'],
    [{ overage_enabled: true }, 422, 'price_per_unit'],
    [{ price_per_unit: '1' }, 422, 'currency'],
    [{ price_per_unit: '0', currency: 'USD' }, 422, 'price_per_unit'],
    [{ price_per_unit: '123456', currency: 'USD' }, 422, 'price_per_unit'],
    [{ price_per_unit: 1, currency: 'USD' }, 422, 'price_per_unit'],
    [{ price_per_unit: '1', currency: 'usd' }, 422, 'currency'],
    [{ overage_behavior: 'forgive' }, 422, 'overage_behavior'],
    [{ overage_limit: -1 }, 422, 'overage_limit'],
    [{ overage_limit: '5' }, 422, 'overage_limit'],
    [
      { meter_links: [{ meter_id: 'mtr_x', meter_units_per_credit: '1' }] },
      422,
      'meter_links[0].meter_id',
    ],
    [
      { meter_links: [{ meter_id: 'mtr_x', meter_units_per_credit: '0' }] },
      422,
      'meter_units_per_credit',
    ],
  ])('are refused with %j', async (wrong, status, says) => {
    const answer = await at.call('POST /credit-entitlements', { body: { ...credits(), ...wrong } })
    expect(answer.status, answer.text).toBe(status)
    expect(answer.body.message).toContain(says)
  })
})
