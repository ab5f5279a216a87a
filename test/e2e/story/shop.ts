import type DodoPayments from 'dodopayments'
import { fresh } from '../plan.ts'
import type { World } from '../world.ts'

/** What the business of the story sells, by the names that the story has for it. */
export interface StoryShop {
  readonly products: ReadonlyMap<string, string>
  readonly brands: ReadonlyMap<string, string>
  readonly eventName: string
  readonly creditId: string
}

const cycle = {
  currency: 'USD',
  discount: 0,
  payment_frequency_count: 4,
  payment_frequency_interval: 'Week',
  subscription_period_count: 10,
  subscription_period_interval: 'Year',
} as const

/**
 * Two plans of four weeks and a pack of credits, which is sold under a second brand. A call costs a
 * credit; half of what is left at a cycle's end rolls over once; 20 credits may be overdrawn for 5
 * cents each.
 */
export async function openStoryShop(at: Pick<World, 'client'>): Promise<StoryShop> {
  const client = at.client()
  const eventName = fresh('call')
  const meter = await client.meters.create({
    name: fresh('calls'),
    event_name: eventName,
    measurement_unit: 'call',
    aggregation: { type: 'sum', key: 'n' },
  })
  const credit = await client.creditEntitlements.create({
    name: fresh('story credits'),
    unit: 'credit',
    precision: 0,
    rollover_enabled: true,
    rollover_percentage: 50,
    max_rollover_count: 1,
    overage_enabled: true,
    overage_limit: 20,
    overage_behavior: 'invoice_at_billing',
    price_per_unit: '5',
    currency: 'USD',
  })
  const link = {
    meter_id: meter.id,
    credit_entitlement_id: credit.id,
    meter_units_per_credit: '1',
  }
  const plan = (name: string, price: number, credits: string) =>
    made(client, name, {
      credit_entitlements: [{ credit_entitlement_id: credit.id, credits_amount: credits }],
      price: { type: 'usage_based_price', ...cycle, fixed_price: price, meters: [link] },
    })
  const outlet = await client.brands.create({ name: 'Outlet' })
  return {
    eventName,
    creditId: credit.id,
    brands: new Map([['Outlet', outlet.brand_id]]),
    products: new Map([
      ['Start', await plan('Start', 2_000, '100')],
      ['Team', await plan('Team', 5_000, '300')],
      [
        'Pack',
        await made(client, 'Pack', {
          brand_id: outlet.brand_id,
          credit_entitlements: [{ credit_entitlement_id: credit.id, credits_amount: '50' }],
          price: {
            type: 'one_time_price',
            currency: 'USD',
            price: 1_000,
            discount: 0,
            purchasing_power_parity: false,
          },
        }),
      ],
    ]),
  }
}

async function made(
  client: DodoPayments,
  name: string,
  more: Omit<DodoPayments.ProductCreateParams, 'name' | 'tax_category'>,
): Promise<string> {
  return (await client.products.create({ name, tax_category: 'saas', ...more })).product_id
}
