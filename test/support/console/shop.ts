import type { Person } from './person.ts'

/** One of everything that a page of the console shows, by its id. */
export interface Shop {
  readonly customer: string
  readonly credit: string
  readonly meter: string
  readonly product: string
  readonly dearer: string
  readonly addon: string
  readonly discount: string
  readonly brand: string
  readonly collection: string
  readonly subscription: string
  /** One that is charged when its seller says so. */
  readonly onDemand: string
  readonly entitlement: string
  readonly payment: string
  readonly refund: string
  readonly dispute: string
  readonly license: string
  readonly webhook: string
}

/** Makes and sells one of everything, as an owner does in the console and a buyer at a checkout. */
export async function openShop(owner: Person): Promise<Shop> {
  const make = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await owner.call(`POST /test${path}`, { body })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.text}`)
    return answer.body
  }
  const idOf = async (path: string, body: object, name = 'id') =>
    String((await make(path, body))[name])
  const customer = await idOf(
    '/customers',
    { name: 'Grace Hopper', email: 'grace@example.com' },
    'customer_id',
  )
  const credit = await idOf('/credit-entitlements', {
    name: 'Render minutes',
    unit: 'minute',
    precision: 2,
    overage_enabled: false,
    rollover_enabled: false,
  })
  const meter = await idOf('/meters', {
    name: 'Frames',
    event_name: 'frame.rendered',
    aggregation: { type: 'count' },
    measurement_unit: 'frame',
  })
  const product = await idOf('/products', plan(credit, 'Studio', 2_900), 'product_id')
  const dearer = await idOf('/products', plan(credit, 'Studio Max', 9_900), 'product_id')
  const addon = await idOf('/addons', {
    name: 'Seat',
    price: 500,
    currency: 'EUR',
    tax_category: 'saas',
  })
  const discount = await idOf(
    '/discounts',
    { type: 'percentage', amount: 1_000, code: 'WELCOME10' },
    'discount_id',
  )
  const brand = await idOf('/brands', { name: 'Acme Labs' }, 'brand_id')
  const collection = await idOf('/product-collections', {
    name: 'Plans',
    groups: [{ group_name: 'Studio', products: [{ product_id: product }] }],
  })
  const webhook = await idOf('/webhooks', { url: 'https://example.com/hooks' })
  const subscription = String(
    (await bought(owner, make, { customer, product, card: pays }))['subscription_id'],
  )
  const rides = await idOf('/products', plan(null, 'Rides', 2_000), 'product_id')
  const agreed = { customer, product: rides, card: pays, onDemand: true }
  const onDemand = String((await bought(owner, make, agreed))['subscription_id'])
  const entitlement = await idOf('/entitlements', {
    name: 'Beta',
    integration_type: 'feature_flag',
    integration_config: { feature_id: 'beta', feature_type: 'boolean' },
  })
  const once = await idOf('/products', licensed(), 'product_id')
  const paid = await bought(owner, make, { customer, product: once, card: pays })
  const payment = String(paid['payment_id'])
  const refund = await idOf(
    '/refunds',
    { payment_id: payment, reason: 'Changed my mind' },
    'refund_id',
  )
  const [license] = await itemsOf(owner, `/license_keys?customer_id=${customer}`)
  const disputed = await bought(owner, make, { customer, product: once, card: isDisputed })
  const [dispute] = await itemsOf(owner, '/disputes')
  return {
    customer,
    credit,
    meter,
    product,
    dearer,
    addon,
    discount,
    brand,
    collection,
    subscription,
    onDemand,
    entitlement,
    payment: String(disputed['payment_id']),
    refund,
    dispute: String(dispute?.['dispute_id']),
    license: String(license?.['id']),
    webhook,
  }
}

const pays = '4242 4242 4242 4242'
const isDisputed = '4000 0000 0000 0259'

const plan = (credit: string | null, name: string, price: number) => ({
  name,
  tax_category: 'saas',
  credit_entitlements:
    credit === null ? [] : [{ credit_entitlement_id: credit, credits_amount: '600' }],
  price: {
    type: 'recurring_price',
    currency: 'EUR',
    price,
    discount: 0,
    purchasing_power_parity: false,
    payment_frequency_count: 1,
    payment_frequency_interval: 'Month',
    subscription_period_count: 10,
    subscription_period_interval: 'Year',
  },
})

const licensed = () => ({
  name: 'Desktop app',
  tax_category: 'digital_products',
  license_key_enabled: true,
  price: {
    type: 'one_time_price',
    currency: 'EUR',
    price: 4_900,
    discount: 0,
    purchasing_power_parity: false,
  },
})

type Make = (path: string, body: object) => Promise<Readonly<Record<string, unknown>>>

interface Purchase {
  readonly customer: string
  readonly product: string
  readonly card: string
  /** Whether nothing but the card is taken at the start. */
  readonly onDemand?: boolean
}

/** The payment by which a customer has bought one of a product at the checkout's page. */
async function bought(owner: Person, make: Make, purchase: Purchase) {
  const { customer, product, card, onDemand = false } = purchase
  const session = await make('/checkouts', {
    product_cart: [{ product_id: product, quantity: 1 }],
    customer: { customer_id: customer },
    ...(onDemand ? { subscription_data: { on_demand: { mandate_only: true } } } : {}),
  })
  const fields = new URLSearchParams({
    name: 'Grace Hopper',
    email: 'grace@example.com',
    country: 'DE',
    zipcode: '10115',
    card_number: card,
    card_expiry: '12/39',
    card_cvc: '123',
  })
  const id = String(session['session_id'])
  await fetch(`${owner.base}/checkout/${id}/pay`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: fields.toString(),
  })
  const after = await owner.call(`GET /test/checkouts/${id}`)
  const payment = await owner.call(`GET /test/payments/${after.body['payment_id']}`)
  if (payment.body['status'] !== 'succeeded') throw new Error(`A payment: ${payment.text}`)
  return payment.body
}

async function itemsOf(owner: Person, path: string) {
  const answer = await owner.call(`GET /test${path}`)
  return answer.body['items'] as readonly Readonly<Record<string, unknown>>[]
}
