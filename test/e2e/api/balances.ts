import DodoPayments from 'dodopayments'
import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { onceMeasured } from '../once-measured.ts'
import type { Subscriber } from '../plan.ts'
import { subscriber } from '../plan.ts'

let client: DodoPayments
let one: Subscriber
beforeAll(async () => {
  client = at.client()
  one = await subscriber(at)
})

describe('balances [resources#balances, resources#ledger-entries]', () => {
  it('are listed, and read one by one', async () => {
    const two = await client.customers.create({ email: 'b@example.com', name: 'B' })
    const path = { credit_entitlement_id: one.creditId }
    const { balances } = client.creditEntitlements
    await expect(balances.retrieve(two.customer_id, path)).rejects.toThrow(
      DodoPayments.NotFoundError,
    )
    const before = (await balances.list(one.creditId)).items.length
    await balances.createLedgerEntry(two.customer_id, {
      ...path,
      amount: '3.25',
      entry_type: 'credit',
    })
    const read = await balances.retrieve(two.customer_id, path)
    expect(read).toEqual({
      id: expect.any(String),
      balance: '3.25',
      overage: '0',
      customer_id: two.customer_id,
      credit_entitlement_id: one.creditId,
      created_at: expect.any(String),
      last_transaction_at: read.updated_at,
      updated_at: expect.any(String),
    })
    const listed = (await balances.list(one.creditId)).items
    expect([listed.length, listed[0]]).toEqual([before + 1, read])
    const filtered = await balances.list(one.creditId, { customer_id: two.customer_id })
    expect(filtered.items).toEqual([read])
    expect((await balances.list(one.creditId, { customer_id: 'cus_nobody' })).items).toEqual([])
    for (const target of ['', '/ledger', '/grants']) {
      const answer = await at.call(
        `GET /credit-entitlements/${one.creditId}/balances/cus_nobody${target}`,
      )
      expect(answer.status).toBe(404)
    }
  })

  it('refuse adjustments that cannot be [resources#adjustments]', async () => {
    const adjust = (more: object, customer = one.customerId, credit = one.creditId) =>
      at.call(`POST /credit-entitlements/${credit}/balances/${customer}/ledger-entries`, {
        body: { amount: '1', entry_type: 'credit', ...more },
      })
    const before = await one.balance()
    const cases: [object, number, string][] = [
      [{ amount: '0' }, 422, 'INVALID_REQUEST_BODY'],
      [{ amount: '-1' }, 422, 'INVALID_REQUEST_BODY'],
      [{ amount: 1 }, 422, 'INVALID_REQUEST_BODY'],
      [{ amount: '1e3' }, 422, 'INVALID_REQUEST_BODY'],
      [{ amount: '1.001' }, 422, 'INVALID_REQUEST_BODY'],
      [{ amount: '10000000000' }, 400, 'INVALID_REQUEST_PARAMETERS'],
      [{ entry_type: 'gift' }, 422, 'INVALID_REQUEST_BODY'],
      [{ entry_type: 'debit', amount: '5000' }, 400, 'INSUFFICIENT_BALANCE'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 422, 'INVALID_REQUEST_BODY'],
      [{ expires_at: 'soon' }, 422, 'INVALID_REQUEST_BODY'],
      [{ metadata: { 'a b': 1 } }, 422, 'INVALID_REQUEST_BODY'],
      [{ metadata: { a: { b: 1 } } }, 422, 'INVALID_REQUEST_BODY'],
      [{ reason: 5 }, 422, 'INVALID_REQUEST_BODY'],
    ]
    for (const [wrong, status, code] of cases) {
      const answer = await adjust(wrong)
      expect([answer.status, answer.body.code], JSON.stringify(wrong)).toEqual([status, code])
      expect(answer.headers.get('x-should-retry')).toBe('false')
    }
    expect((await adjust({}, 'cus_nobody')).status).toBe(404)
    expect((await adjust({}, one.customerId, 'cde_nobody')).status).toBe(404)
    expect(await one.balance()).toEqual(before)
    expect((await adjust({ expires_at: '9999-12-31T23:59:59.999999Z' })).status).toBe(201)
  })

  it('show their ledger by kind and time, and page through it', async () => {
    const by = await subscriber(at, { meters: [{ aggregation: { type: 'sum', key: 'n' } }] })
    for (let n = 1; n <= 7; n += 1) await by.ledger(await by.spend({ n }))
    const whole = await by.ledger()
    expect(whole).toHaveLength(8)
    const path = { credit_entitlement_id: by.creditId }
    const { balances } = client.creditEntitlements
    const ids = async (query: object) =>
      (await balances.listLedger(by.customerId, { ...path, ...query })).items.map((each) => each.id)
    const all = whole.map((each) => each.id)
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page_number) => ids({ page_number, page_size: 3 })),
    )
    expect(pages).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6), []])
    expect(await ids({ transaction_type: 'credit_added' })).toEqual(all.slice(7))
    expect(await ids({ transaction_type: 'refund' })).toEqual([])
    const [third, fifth] = [whole[2]?.created_at ?? '', whole[4]?.created_at ?? '']
    expect(await ids({ start_date: fifth, end_date: third })).toEqual(all.slice(2, 5))
    // The client's pager begins with the page that was asked for, and ends with an empty one.
    const walked: string[] = []
    for await (const entry of balances.listLedger(by.customerId, {
      ...path,
      page_size: 3,
      page_number: 0,
    }))
      walked.push(entry.id)
    expect(walked).toEqual(all)
  })

  it('name positions that cannot be read, and wait for no longer than five seconds', async () => {
    const target = `GET /credit-entitlements/${one.creditId}/balances/${one.customerId}` as const
    for (const position of ['nonsense', '', 'a,b', '\u00ff']) {
      const answer = await at.call(target, { headers: { 'Sluice-After': position } })
      expect([answer.status, answer.body.code], position).toEqual([
        400,
        'INVALID_REQUEST_PARAMETERS',
      ])
    }
    const [first, second] = [await one.use({}), await one.use({})]
    const headers = { 'Sluice-After': `${first}, ${second}` }
    expect((await onceMeasured(() => at.call(target, { headers }))).status).toBe(200)
  })
})
