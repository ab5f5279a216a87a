import type DodoPayments from 'dodopayments'
import { at } from './here.ts'
import type { Subscriber } from './plan.ts'
import { fresh } from './plan.ts'
import { checkout, onePaid, pack } from './shopper.ts'

type Call = (client: DodoPayments, of: Subscriber) => Promise<unknown>

/** Methods of the client about what is sold, and about buying it. Each makes what it changes. */
export const catalogCalls: Readonly<Record<string, Call>> = {
  'checkoutSessions.create': async (client) => client.checkoutSessions.create(await cart()),
  'checkoutSessions.retrieve': async (client) => {
    const { productId } = await pack(at)
    return client.checkoutSessions.retrieve((await checkout(at, productId)).session_id)
  },
  'checkoutSessions.preview': async (client) => client.checkoutSessions.preview(await cart()),
  'payments.list': (client) => client.payments.list(),
  'payments.retrieve': async (client) => client.payments.retrieve((await onePaid(at)).payment_id),
  'payments.retrieveLineItems': async (client) =>
    client.payments.retrieveLineItems((await onePaid(at)).payment_id),
  'misc.listSupportedCountries': (client) => client['misc'].listSupportedCountries(),
  'products.update': async (client) =>
    client.products.update((await pack(at)).productId, { name: fresh('renamed') }),
  'products.archive': async (client) => client.products.archive((await pack(at)).productId),
  'products.unarchive': async (client) => {
    const { productId } = await pack(at)
    await client.products.archive(productId)
    return client.products.unarchive(productId)
  },
  'products.shortLinks.list': (client) => client.products.shortLinks.list(),
  'products.shortLinks.create': async (client) =>
    client.products.shortLinks.create((await pack(at)).productId, {
      slug: fresh('link').replaceAll(/\W/g, '-'),
    }),
  'products.localizedPrices.create': priced,
  'products.localizedPrices.list': (client, of) =>
    client.products.localizedPrices.list(of.productId),
  'products.localizedPrices.retrieve': async (client) => {
    const { id, product_id } = await priced(client)
    return client.products.localizedPrices.retrieve(id, { product_id })
  },
  'products.localizedPrices.update': async (client) => {
    const { id, product_id } = await priced(client)
    return client.products.localizedPrices.update(id, { product_id, amount: 301 })
  },
  'products.localizedPrices.archive': async (client) => {
    const { id, product_id } = await priced(client)
    return client.products.localizedPrices.archive(id, { product_id })
  },
  'addons.list': (client) => client.addons.list(),
  'addons.create': addon,
  'addons.retrieve': async (client) => client.addons.retrieve((await addon(client)).id),
  'addons.update': async (client) => client.addons.update((await addon(client)).id, { price: 6 }),
  'addons.updateImages': async (client) => client.addons.updateImages((await addon(client)).id),
  'brands.list': (client) => client.brands.list(),
  'brands.create': brand,
  'brands.retrieve': async (client) => client.brands.retrieve((await brand(client)).brand_id),
  'brands.update': async (client) =>
    client.brands.update((await brand(client)).brand_id, { description: 'Of ours' }),
  'brands.updateImages': async (client) =>
    client.brands.updateImages((await brand(client)).brand_id),
  'brands.archive': async (client) => client.brands.archive((await brand(client)).brand_id, {}),
  'productCollections.list': (client) => client.productCollections.list(),
  'productCollections.create': collection,
  'productCollections.retrieve': async (client) =>
    client.productCollections.retrieve((await collection(client)).id),
  'productCollections.update': async (client) =>
    client.productCollections.update((await collection(client)).id, { name: fresh('renamed') }),
  'productCollections.updateImages': async (client) =>
    client.productCollections.updateImages((await collection(client)).id),
  'productCollections.delete': async (client) =>
    client.productCollections.delete((await collection(client)).id),
  'productCollections.unarchive': async (client) => {
    const { id } = await collection(client)
    await client.productCollections.delete(id)
    return client.productCollections.unarchive(id)
  },
  'productCollections.groups.create': group,
  'productCollections.groups.update': async (client) => {
    const { id, group_id } = await group(client)
    return client.productCollections.groups.update(group_id, { id, group_name: fresh('group') })
  },
  'productCollections.groups.delete': async (client) => {
    const { id } = await group(client)
    // One product stays in the collection.
    const { group_id } = await groupOf(client, id)
    return client.productCollections.groups.delete(group_id, { id })
  },
  'productCollections.groups.items.create': item,
  'productCollections.groups.items.update': async (client) => {
    const { item_id, ...of } = await item(client)
    return client.productCollections.groups.items.update(item_id, { ...of, status: false })
  },
  'productCollections.groups.items.delete': async (client) => {
    const { item_id, ...of } = await item(client)
    return client.productCollections.groups.items.delete(item_id, of)
  },
}

const cart = async () => ({
  product_cart: [{ product_id: (await pack(at)).productId, quantity: 1 }],
})

async function priced(client: DodoPayments) {
  const { productId } = await pack(at)
  await client.products.update(productId, { pricing_mode: 'by_country' })
  const price = { amount: 300, currency: 'INR', country_code: 'IN' } as const
  const { id } = await client.products.localizedPrices.create(productId, price)
  return { id, product_id: productId }
}

function addon(client: DodoPayments) {
  const price = { price: 5, currency: 'EUR', tax_category: 'saas' } as const
  return client.addons.create({ name: fresh('seat'), ...price })
}

function brand(client: DodoPayments) {
  return client.brands.create({ name: fresh('brand') })
}

function collection(client: DodoPayments) {
  return client.productCollections.create({ name: fresh('collection'), groups: [] })
}

async function group(client: DodoPayments) {
  return groupOf(client, (await collection(client)).id)
}

async function groupOf(client: DodoPayments, id: string) {
  const products = [{ product_id: (await pack(at)).productId }]
  return { id, ...(await client.productCollections.groups.create(id, { products })) }
}

async function item(client: DodoPayments) {
  const { id, group_id } = await group(client)
  const products = [{ product_id: (await pack(at)).productId }]
  const [made] = await client.productCollections.groups.items.create(group_id, { id, products })
  return { id, group_id, item_id: made?.id ?? '' }
}
