import { describe, expect, it } from 'vitest'
import { descriptionRoute } from '../support/pages/description.ts'
import { openAccess, uploaded } from './access-calls.ts'
import { at } from './here.ts'
import { fresh, subscriber } from './plan.ts'
import { compareExamples } from './recorded-examples.ts'
import { onDemandOf, onePaid, onePaidOut, savedMethodOf } from './shopper.ts'

/** A card whose payment is disputed at once. */
const disputed = '4000 0000 0000 0259'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: string
  readonly requestBody?: {
    readonly content: { readonly 'application/json'?: { readonly example: object } }
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >
}

/** A license key, and two places where it is in use. */
async function openLicense(customerId: string, productId: string) {
  const client = at.client()
  const of = { customer_id: customerId, product_id: productId, key: fresh('KEY') }
  const { id, key } = await client.licenseKeys.create(of)
  const activated = () => client.licenses.activate({ license_key: key, name: 'Laptop' })
  return { id, key, place: (await activated()).id, spare: (await activated()).id }
}

/** One of each thing that a business sells, and a product that is in no collection. */
async function openShop() {
  const client = at.client()
  const terms = { name: fresh('sold'), currency: 'USD', price: 5, tax_category: 'saas' } as const
  const priced = () =>
    client.products.create({
      name: fresh('sold'),
      tax_category: 'saas',
      pricing_mode: 'by_currency',
      price: {
        type: 'one_time_price',
        currency: 'USD',
        price: 5,
        discount: 0,
        purchasing_power_parity: false,
      },
    })
  const [held, free] = [await priced(), await priced()]
  const gbp = { amount: 4, currency: 'GBP' } as const
  const collection = await client.productCollections.create({
    name: fresh('sold'),
    groups: [{ products: [{ product_id: held.product_id }] }],
  })
  const [group] = collection.groups
  const gone = await client.productCollections.create({ name: fresh('gone'), groups: [] })
  await client.productCollections.delete(gone.id)
  return {
    brand: (await client.brands.create({})).brand_id,
    addon: (await client.addons.create(terms)).id,
    product: held.product_id,
    free: free.product_id,
    price: (await client.products.localizedPrices.create(held.product_id, gbp)).id,
    collection: collection.id,
    gone: gone.id,
    group: group?.group_id ?? '',
    item: group?.products[0]?.id ?? '',
  }
}

const served = async () => (await at.call('GET /openapi.json', { key: null })).text

describe('what the server says of itself', () => {
  it('is the description of its routes, to whoever asks, and not again to whoever has it', async () => {
    const { raw } = await descriptionRoute.handler({ header: () => null } as never)
    expect(await served()).toBe(raw)
    const whole = await at.call('GET /openapi.json', { key: null, live: true })
    const etag = whole.headers.get('etag') ?? ''
    const again = await at.call('GET /openapi.json', {
      key: null,
      headers: { 'If-None-Match': etag },
    })
    expect([whole.status, again.status, again.text]).toEqual([200, 304, ''])
    const packed = await at.call('GET /openapi.json', { headers: { 'Accept-Encoding': 'gzip' } })
    expect([packed.headers.get('content-encoding'), packed.text === whole.text]).toEqual([
      'gzip',
      true,
    ])
  })

  it('promises what each of its examples gets', async () => {
    const of = await subscriber(at)
    const { paths } = JSON.parse(await served()) as Described
    const webhook = await at.client().webhooks.create({ url: 'http://127.0.0.1:9/' })
    const discount = await at.client().discounts.create({ type: 'percentage', amount: 1 })
    const eventId = fresh('example')
    await of.balance(await of.use({ event_id: eventId }))
    const changes = { name: fresh('described') }
    const shop = await openShop()
    const { subscriptionId: demanded } = await onDemandOf(at)
    const { id: payoutId } = await onePaidOut(at)
    const { payment_id, productId: bought } = await onePaid(at)
    const license = await openLicense(of.customerId, of.productId)
    const access = await openAccess(at.client())
    // What an example cannot know: ids of this business, and names that nobody has taken.
    const own: Readonly<Record<string, object>> = {
      createCreditEntitlement: changes,
      createSubscription: { product_id: of.productId, customer: { customer_id: of.customerId } },
      attachDiscountCustomers: { customer_ids: [of.customerId] },
      changePlan: { product_id: of.productId },
      createCheckoutSession: { product_cart: [{ product_id: of.productId, quantity: 1 }] },
      previewCheckoutSession: { product_cart: [{ product_id: of.productId, quantity: 1 }] },
      previewPlanChange: { product_id: of.productId },
      createPayment: {
        product_cart: [{ product_id: bought, quantity: 1 }],
        customer: { customer_id: of.customerId },
      },
      fulfillLicenseKey: { key: fresh('OWN') },
      updatePaymentMethod: { payment_method_id: await savedMethodOf(at, of) },
      createLicenseKey: {
        customer_id: of.customerId,
        product_id: of.productId,
        key: fresh('KEY'),
      },
      activateLicense: { license_key: license.key },
      deactivateLicense: {
        license_key: license.key,
        license_key_instance_id: license.spare,
      },
      validateLicense: { license_key: license.key },
      createRefund: { payment_id, items: [{ item_id: bought, amount: 500 }] },
      createShortLink: { slug: fresh('s').replaceAll(' ', '-') },
      createProductCollectionItems: { products: [{ product_id: shop.free }] },
      ingestEvents: {
        events: [
          { event_id: fresh('x'), customer_id: of.customerId, event_name: of.eventNames[0] },
        ],
      },
    }
    const ids = (path: string): string =>
      path
        .replace('/balances/{customer_id}', `/balances/${of.customerId}`)
        .replace('/credit-entitlements/{id}', `/credit-entitlements/${of.creditId}`)
        .replace('{customer_id}', of.customerId)
        .replace('/brands/{id}', `/brands/${shop.brand}`)
        .replace('/addons/{id}', `/addons/${shop.addon}`)
        .replace('/localized-prices/{id}', `/localized-prices/${shop.price}`)
        .replace(/\/products\/\{(product_)?id\}/, `/products/${shop.product}`)
        .replace(
          '/product-collections/{id}/unarchive',
          `/product-collections/${shop.gone}/unarchive`,
        )
        .replace('/product-collections/{id}', `/product-collections/${shop.collection}`)
        .replace('{group_id}', shop.group)
        .replace('{item_id}', shop.item)
        .replace('/subscriptions/{id}/charge', `/subscriptions/${demanded}/charge`)
        .replace('/subscriptions/{id}', `/subscriptions/${of.subscriptionId}`)
        .replace('/license_keys/{id}', `/license_keys/${license.id}`)
        .replace('/license_key_instances/{id}', `/license_key_instances/${license.place}`)
        .replace('/webhooks/{id}', `/webhooks/${webhook.id}`)
        .replace('{discount_id}', discount.discount_id)
        .replace('/products/{id}', `/products/${of.productId}`)
        .replace('{event_id}', eventId)
        .replace('{payout_id}', payoutId)
        .replace('/entitlements/{id}', `/entitlements/${access.id}`)
        .replace('/grants/{grant_id}/license-key', `/grants/${access.keyGrant}/license-key`)
        .replace('/grants/{grant_id}', `/grants/${access.grant}`)
    const answers: [string, number][] = []
    const seen: Record<string, unknown> = {}
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
        const json = requestBody?.content['application/json']
        if (json === undefined) continue
        const body = { ...json.example, ...own[operationId] }
        const target = `${method.toUpperCase()} ${ids(path) as `/${string}`}` as const
        // Whether the answer is what was promised, is compared with all answers.
        const { status, text } = await at.call(target, { body })
        answers.push([operationId, status])
        if (text !== '') seen[operationId] = JSON.parse(text)
        expect([200, 201, 204], `${operationId}: ${text}`).toContain(status)
      }
    }
    expect(answers.length).toBeGreaterThan(15)
    const made = (id: string, field: string) =>
      String((seen[id] as Readonly<Record<string, unknown>>)[field])
    const { disputes } = await at
      .client()
      .payments.retrieve((await onePaid(at, disputed)).payment_id)
    const found = (path: string): string =>
      ids(path)
        .replace('/payments/{id}', `/payments/${payment_id}`)
        .replace('{refund_id}', made('createRefund', 'refund_id'))
        .replace('{dispute_id}', disputes[0]?.dispute_id ?? '')
        .replace('/checkouts/{id}', `/checkouts/${made('createCheckoutSession', 'session_id')}`)
        .replace('{code}', discount.code)
    compareExamples({ ...seen, ...(await readings(paths, found)), ...(await others(access)) })
  })
})

/** What is answered to a file, to the end of a grant, and to who wants to show a brand's logo. */
async function others({ id, grant }: { readonly id: string; readonly grant: string }) {
  const { brand_id: brand } = await at.client().brands.create({})
  const { file_id } = await uploaded(at.client())
  const [revokeEntitlementGrant, updateBrandImages] = [
    (await at.call(`DELETE /entitlements/${id}/grants/${grant}`)).body,
    (await at.call(`PUT /brands/${brand}/images`)).body,
  ]
  return { uploadEntitlementFile: { file_id }, revokeEntitlementGrant, updateBrandImages }
}

/** The answers of all routes that take no body and answer JSON, but for the description itself. */
async function readings(paths: Described['paths'], ids: (path: string) => string) {
  const first = async (path: string, field: string) => {
    const { body } = await at.call(`GET ${ids(path) as `/${string}`}`)
    return String(body.items[0]?.[field])
  }
  let message = ''
  const attempts = async () => {
    message = await first('/webhooks/{id}/messages', 'id')
    const { body } = await at.call(
      `GET ${ids('/webhooks/{id}') as '/'}/messages/${message}/attempts`,
    )
    return body.items.length
  }
  await expect.poll(attempts).toBeGreaterThan(0)
  const balance = '/credit-entitlements/{id}/balances/{customer_id}'
  const entry = await first(`${balance}/ledger`, 'id')
  const meter = await first('/meters', 'id')
  const paid = await first('/payments', 'payment_id')
  const whole = (path: string): string =>
    ids(path)
      .replace('{message_id}', message)
      .replace('/credit-ledger-entries/{id}', `/credit-ledger-entries/${entry}`)
      .replace('/explanations/{id}', `/explanations/${paid}`)
      .replace('/meters/{id}', `/meters/${meter}`)
  const seen: Record<string, unknown> = {}
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, requestBody, responses }] of Object.entries(methods)) {
      const schema = responses['200']?.content?.['application/json']?.schema
      const target = whole(path)
      const skipped = schema === undefined || requestBody !== undefined || target.includes('{')
      if (skipped || operationId === 'getDescription' || method === 'delete') continue
      // The brand was archived on the way, for good.
      if (operationId === 'updateBrandImages') continue
      const { status, text } = await at.call(`${method.toUpperCase()} ${target as `/${string}`}`)
      expect(status, `${operationId}: ${text}`).toBe(200)
      seen[operationId] = JSON.parse(text)
    }
  }
  return seen
}
