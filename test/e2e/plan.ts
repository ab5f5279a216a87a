import type DodoPayments from 'dodopayments'
import { usageBased } from '../support/wire/products.ts'
import { onceMeasured } from './once-measured.ts'
import type { World } from './world.ts'

export interface MeterPlan {
  readonly aggregation?: { readonly type: 'count' | 'sum' | 'max' | 'last'; readonly key?: string }
  readonly filter?: DodoPayments.MeterFilter
  /** Meter units per credit; absent: "1". */
  readonly unitsPerCredit?: string
  readonly freeThreshold?: number
}

export interface Plan {
  readonly meters?: readonly MeterPlan[]
  readonly entitlement?: Partial<DodoPayments.CreditEntitlementCreateParams>
  readonly mapping?: Partial<DodoPayments.AttachCreditEntitlement>
  /** How often the product is billed, and how long it is subscribed to. */
  readonly price?: Partial<DodoPayments.Price.UsageBasedPrice>
}

export type Usage = Readonly<Partial<DodoPayments.EventInput>>

/** A customer who subscribes to a product of its own, with meters of its own. */
export interface Subscriber {
  readonly customerId: string
  readonly creditId: string
  readonly meterIds: readonly string[]
  readonly eventNames: readonly string[]
  readonly productId: string
  readonly subscriptionId: string
  /** Sends usage of the first meter without waiting. Answers the position. */
  use(...events: readonly Usage[]): Promise<string>
  /** The same with one event for each metadata. */
  spend(...metadata: readonly Usage['metadata'][]): Promise<string>
  balance(after?: string): Promise<{ readonly balance: string; readonly overage: string }>
  ledger(after?: string): Promise<readonly DodoPayments.CreditEntitlements.CreditLedgerEntry[]>
}

let made = 0
/** A name that nothing else in this world has. */
export const fresh = (name: string): string => `${name} ${process.pid}-${++made}`

export async function subscriber(at: Pick<World, 'client'>, plan: Plan = {}): Promise<Subscriber> {
  const client = at.client()
  const wanted = plan.meters ?? [{}]
  const eventNames = wanted.map(() => fresh('used'))
  const meters = await Promise.all(
    wanted.map(({ aggregation = { type: 'count' }, filter }, index) =>
      client.meters.create({
        name: fresh('meter'),
        event_name: eventNames[index] ?? '',
        aggregation,
        measurement_unit: 'unit',
        filter: filter ?? null,
      }),
    ),
  )
  const credit = await client.creditEntitlements.create({
    name: fresh('credits'),
    unit: 'credit',
    precision: 2,
    overage_enabled: false,
    rollover_enabled: false,
    ...plan.entitlement,
  })
  const product = await client.products.create({
    name: fresh('plan'),
    tax_category: 'saas',
    credit_entitlements: [
      { credit_entitlement_id: credit.id, credits_amount: '100', ...plan.mapping },
    ],
    price: {
      ...usageBased,
      ...plan.price,
      meters: meters.map((meter, index) => ({
        meter_id: meter.id,
        credit_entitlement_id: credit.id,
        meter_units_per_credit: wanted[index]?.unitsPerCredit ?? '1',
        free_threshold: wanted[index]?.freeThreshold ?? null,
      })),
    },
  })
  const customer = await client.customers.create({ email: 'ada@example.com', name: 'Ada' })
  const subscription = await client.subscriptions.create({
    billing: { country: 'DE' },
    customer: { customer_id: customer.customer_id },
    product_id: product.product_id,
    quantity: 1,
  })
  const customerId = customer.customer_id
  const reads = (after?: string) => (after === undefined ? {} : { 'Sluice-After': after })
  const use: Subscriber['use'] = (...events) =>
    ingest(
      at,
      events.map((event) => ({
        customer_id: customerId,
        event_name: eventNames[0] ?? '',
        ...event,
      })),
    )
  return {
    customerId,
    creditId: credit.id,
    meterIds: meters.map((meter) => meter.id),
    eventNames,
    productId: product.product_id,
    subscriptionId: subscription.subscription_id,
    use,
    spend: (...all) => use(...all.map((metadata) => ({ metadata: metadata ?? null }))),
    async balance(after) {
      const path = { credit_entitlement_id: credit.id }
      const { balances } = at.client().creditEntitlements
      const { balance, overage } = await onceMeasured(() =>
        balances.retrieve(customerId, path, { headers: reads(after) }),
      )
      return { balance, overage }
    },
    async ledger(after) {
      const query = { credit_entitlement_id: credit.id, page_size: 100 }
      const { balances } = at.client().creditEntitlements
      const page = await onceMeasured(async () =>
        balances.listLedger(customerId, query, { headers: reads(after) }),
      )
      return page.items
    },
  }
}

/** Sends events as they are, with made-up ids where they have none. Answers their position. */
export async function ingest(at: Pick<World, 'client'>, events: readonly Usage[]): Promise<string> {
  const whole = events.map((event) => ({ event_id: fresh('event'), ...event }))
  const answer = await at
    .client()
    .usageEvents.ingest({ events: whole as DodoPayments.EventInput[] })
    .asResponse()
  const position = answer.headers.get('sluice-position')
  if (position === null) throw new Error('An ingest without a position.')
  return position
}
