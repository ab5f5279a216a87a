import DodoPayments from 'dodopayments'
import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { fresh } from '../plan.ts'

let client: DodoPayments
beforeAll(() => {
  client = at.client()
})

const oneTime = (price: number) => ({
  type: 'one_time_price' as const,
  currency: 'USD' as const,
  price,
  discount: 0,
  purchasing_power_parity: false,
})
const monthly = {
  type: 'recurring_price',
  currency: 'USD',
  price: 900,
  discount: 0,
  purchasing_power_parity: false,
  payment_frequency_count: 1,
  payment_frequency_interval: 'Month',
  subscription_period_count: 1,
  subscription_period_interval: 'Year',
} as const

const product = (brand_id: string | null = null) =>
  client.products.create({
    name: fresh('product'),
    tax_category: 'saas',
    price: oneTime(500),
    brand_id,
  })

describe('brands, by the public client', () => {
  it('are made, changed, listed and archived with what they hold', async () => {
    const made = await client.brands.create({ name: 'Labs', support_email: 'a@example.com' })
    const heir = await client.brands.create({})
    expect(await client.brands.retrieve(made.brand_id)).toEqual(made)
    const changed = await client.brands.update(made.brand_id, { url: 'https://labs.example' })
    expect(changed).toEqual({ ...made, url: 'https://labs.example' })
    const held = await product(made.brand_id)
    const fixed = client.brands.update(at.businessId, { name: 'x' })
    await expect(fixed).rejects.toThrow(DodoPayments.PermissionDeniedError)

    const to = { move_products_to: heir.brand_id }
    const missing = client.brands.archive(made.brand_id, {})
    await expect(missing).rejects.toThrow(DodoPayments.UnprocessableEntityError)
    const archived = await client.brands.archive(made.brand_id, to)
    expect(archived).toEqual({
      brand_id: made.brand_id,
      archived_at: expect.any(String),
      products_moved: 1,
      subscriptions_moved: 0,
      collections_moved: 0,
      moved_to_brand_id: heir.brand_id,
    })
    expect((await client.products.retrieve(held.product_id)).brand_id).toBe(heir.brand_id)
    const again = client.brands.archive(made.brand_id, to)
    await expect(again).rejects.toThrow(DodoPayments.ConflictError)
    const listed = async (include_archived: boolean) =>
      (await client.brands.list({ include_archived })).items.map((brand) => brand.brand_id)
    expect(await listed(false)).not.toContain(made.brand_id)
    expect(await listed(true)).toContain(made.brand_id)
    expect(await listed(false)).toContain(at.businessId)
  })

  it('need a body to be archived: none is 422, and what is no JSON 400', async () => {
    const { brand_id } = await client.brands.create({})
    const path = `POST /brands/${brand_id}/archive` as const
    const codes = async (raw: string) => {
      const { status, body } = await at.call(path, { raw })
      return [status, body.code]
    }
    expect(await codes('')).toEqual([422, 'INVALID_REQUEST_BODY'])
    expect(await codes('{')).toEqual([400, 'INVALID_REQUEST_BODY'])
    for (const raw of ['null', '[]', '"x"', '5']) {
      expect(await codes(raw), raw).toEqual([422, 'INVALID_REQUEST_BODY'])
    }
    expect((await at.call(path, { raw: '{}' })).status).toBe(200)
  })
})

describe('add-ons, by the public client', () => {
  it('are made, changed, listed, and offered with a product', async () => {
    const wanted = { name: 'Seats', price: 500, currency: 'USD', tax_category: 'saas' } as const
    const made = await client.addons.create(wanted)
    const changed = await client.addons.update(made.id, { price: 700, description: 'd' })
    expect(changed).toMatchObject({ ...wanted, price: 700, description: 'd' })
    expect(await client.addons.retrieve(made.id)).toEqual(changed)
    expect((await client.addons.list({ page_size: 1 })).items).toEqual([changed])
    const offered = await client.products.create({
      name: 'Pro',
      tax_category: 'saas',
      price: monthly,
      addons: [made.id],
    })
    expect((await client.products.retrieve(offered.product_id)).addons).toEqual([made.id])
  })
})

describe('products, by the public client', () => {
  it('are changed, archived, and brought back', async () => {
    const made = await product()
    const price = { ...oneTime(700), tax_inclusive: true, pay_what_you_want: true }
    await client.products.update(made.product_id, { name: 'N', price, metadata: { a: 'b' } })
    const changed = await client.products.retrieve(made.product_id)
    expect(changed).toEqual({
      ...made,
      name: 'N',
      price: { ...price, suggested_price: null },
      metadata: { a: 'b' },
      updated_at: expect.any(String),
    })
    await client.products.archive(made.product_id)
    const gone = (await client.products.list({ archived: true, page_size: 1 })).items
    expect(gone.map((each) => each.product_id)).toEqual([made.product_id])
    const again = await at.call(`DELETE /products/${made.product_id}`)
    expect([again.status, again.body.code]).toEqual([410, 'PRODUCT_IS_DELETED'])
    await client.products.unarchive(made.product_id)
    const back = client.products.unarchive(made.product_id)
    await expect(back).rejects.toThrow(DodoPayments.NotFoundError)
  })

  it('have prices for single markets', async () => {
    const { product_id } = await product()
    await client.products.update(product_id, { pricing_mode: 'by_country' })
    const { localizedPrices } = client.products
    const wanted = { amount: 300, currency: 'INR', country_code: 'IN' } as const
    const made = await localizedPrices.create(product_id, wanted)
    expect(made).toMatchObject({ ...wanted, product_id, mode: 'by_country' })
    const changed = await localizedPrices.update(made.id, { product_id, amount: 350 })
    expect(changed.amount).toBe(350)
    expect(await localizedPrices.retrieve(made.id, { product_id })).toEqual(changed)
    expect((await localizedPrices.list(product_id)).items).toEqual([changed])
    await localizedPrices.archive(made.id, { product_id })
    expect((await localizedPrices.list(product_id)).items).toEqual([])
  })

  it('have short addresses, which lead to their checkout without a key', async () => {
    const { product_id } = await product()
    const slug = `Pro-${process.pid}-${Math.round(performance.now())}`
    const made = await client.products.shortLinks.create(product_id, {
      slug,
      static_checkout_params: { quantity: '2' },
    })
    expect(made.short_url).toMatch(new RegExp(`^http://[^/]+/s/${slug}$`))
    expect(made.full_url).toMatch(new RegExp(`/buy/${product_id}\\?quantity=2$`))
    const { items } = await client.products.shortLinks.list({ product_id })
    expect(items).toEqual([{ ...made, product_id, created_at: expect.any(String) }])
    for (const address of [made.short_url, made.short_url.toLowerCase()]) {
      const answer = await fetch(address, { redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toEqual([302, made.full_url])
    }
    const unknown = await fetch(`${made.short_url}x`, { redirect: 'manual' })
    expect(unknown.status).toBe(404)
    const taken = client.products.shortLinks.create(product_id, { slug: slug.toLowerCase() })
    await expect(taken).rejects.toThrow(DodoPayments.ConflictError)
  })
})

describe('product collections, by the public client', () => {
  it('are made, filled, ordered, archived and brought back', async () => {
    const [one, two] = [(await product()).product_id, (await product()).product_id]
    const { productCollections: collections } = client
    const made = await collections.create({
      name: 'Plans',
      groups: [{ group_name: 'A', products: [{ product_id: one }] }],
    })
    const { id } = made
    const group = await collections.groups.create(id, { products: [], group_name: 'B' })
    const [item] = await collections.groups.items.create(group.group_id, {
      id,
      products: [{ product_id: two }],
    })
    const inside = { id, group_id: group.group_id }
    await collections.groups.items.update(item?.id ?? '', { ...inside, status: false })
    await collections.groups.update(group.group_id, { id, group_name: 'C' })
    const [first] = made.groups
    const order = [group.group_id, first?.group_id ?? '']
    await collections.update(id, { group_order: order, description: 'd' })
    const read = await collections.retrieve(id)
    expect(read.groups.map((each) => each.group_name)).toEqual(['C', 'A'])
    expect(read.groups[0]?.products[0]).toMatchObject({ product_id: two, status: false })
    await collections.groups.items.delete(item?.id ?? '', inside)
    await collections.groups.delete(group.group_id, { id })
    const last = collections.groups.delete(first?.group_id ?? '', { id })
    await expect(last).rejects.toThrow('keeps at least one product')
    await collections.delete(id)
    expect((await collections.list({ archived: true, page_size: 1 })).items[0]?.id).toBe(id)
    expect(await collections.unarchive(id)).toEqual({
      collection_id: id,
      excluded_product_ids: [],
      message: expect.any(String),
    })
  })
})
