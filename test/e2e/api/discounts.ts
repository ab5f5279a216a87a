import DodoPayments from 'dodopayments'
import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../here.ts'

let client: DodoPayments
beforeAll(() => {
  client = at.client()
})

const tenth = { type: 'percentage', amount: 1_000 } as const

describe('discounts, by the public client', () => {
  it('are made, read, changed, found and deleted', async () => {
    const { discounts } = client
    const made = await discounts.create({ ...tenth, code: 'client-10', usage_limit: 5 })
    expect(made).toMatchObject({ ...tenth, code: 'CLIENT-10', times_used: 0, restricted_to: [] })
    expect(await discounts.retrieve(made.discount_id)).toEqual(made)
    expect(await discounts.retrieveByCode('Client-10')).toEqual(made)
    const changed = await discounts.update(made.discount_id, { amount: 2_000, usage_limit: null })
    expect(changed).toEqual({ ...made, amount: 2_000, usage_limit: null })
    const found = async (query: DodoPayments.DiscountListParams) =>
      (await discounts.list({ code: 'client-', ...query })).items
    expect(await found({})).toEqual([changed])
    expect(await found({ active: true, discount_type: 'percentage' })).toEqual([changed])
    expect(await found({ active: false })).toEqual([])
    expect(await found({ discount_type: 'flat' })).toEqual([])

    const again = discounts.create({ ...tenth, code: 'CLIENT-10' })
    await expect(again).rejects.toThrow(DodoPayments.ConflictError)
    expect(await discounts.delete(made.discount_id)).toBeFalsy()
    for (const gone of [
      () => discounts.retrieve(made.discount_id),
      () => discounts.retrieveByCode('CLIENT-10'),
      () => discounts.update(made.discount_id, {}),
      () => discounts.delete(made.discount_id),
    ]) {
      await expect(gone()).rejects.toThrow(DodoPayments.NotFoundError)
    }
    expect(await found({})).toEqual([])
  })

  it('get a code where none is sent', async () => {
    const { code } = await client.discounts.create(tenth)
    expect(code).toMatch(/^[A-Z]{16}$/)
  })

  it('are open to customers by name', async () => {
    const { customer_id: id } = await client.customers.create({ email: 'a@example.com', name: 'A' })
    const made = await client.discounts.create({ ...tenth, customer_eligibility: 'specific' })
    const path = `/discounts/${made.discount_id}/customers` as const
    const body = { customer_ids: [id] }
    expect(await client.post(path, { body })).toEqual(body)
    expect(await client.get(path)).toMatchObject({ items: [{ customer_id: id, name: 'A' }] })
    const gone = await at.call(`DELETE ${path}/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await at.call(`DELETE ${path}/${id}`)).status).toBe(404)
    expect(await client.get(path)).toEqual({ items: [] })
  })

  it('refuse a taken code for good, and so say that trying again is no use', async () => {
    await client.discounts.create({ ...tenth, code: 'FOR-GOOD' })
    const refused = await at.call('POST /discounts', { body: { ...tenth, code: 'for-good' } })
    expect([refused.status, refused.body.code]).toEqual([409, 'DISCOUNT_CODE_ALREADY_EXISTS'])
    expect(refused.headers.get('x-should-retry')).toBe('false')
  })
})
