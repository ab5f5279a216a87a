import { limits } from '../limits.ts'
import { priceOfAddons } from '../rules/commerce/catalog/addon.ts'
import type { ChangeCart } from '../rules/commerce/payments/change-cart.ts'
import type { PaidLine } from '../rules/commerce/payments/priced-lines.ts'
import type { DecidedChange } from '../rules/commerce/subscriptions/decide-plan-change.ts'
import type { SubscribedPlan } from '../rules/commerce/subscriptions/subscription.ts'
import type { MeterPeriod } from '../rules/commerce/subscriptions/usage-history.ts'
import { formatDecimal, powerOfTen } from '../std/decimal.ts'
import { formatInstant } from '../std/instant.ts'
import type { SubscriptionView } from './subscription-view.ts'

/** What a plan change would charge, and when. [resources#plan-change-previews] */
export const planChangePreview = (decided: DecidedChange, newPlan: SubscriptionView) => ({
  immediate_charge: immediateCharge(decided),
  new_plan: newPlan,
})

function immediateCharge(decided: DecidedChange) {
  const { at, cart, wanted } = decided
  const { before, plan, waits } = wanted
  return {
    effective_at: formatInstant(waits ? before.nextBillingDate : at),
    line_items: cart === null ? [] : lineItems(decided, cart),
    summary: {
      currency: plan.currency,
      customer_credits: cart === null ? 0 : customerCredits(cart),
      settlement_amount: cart?.total ?? 0,
      settlement_currency: plan.currency,
      settlement_tax: cart?.tax ?? 0,
      tax: cart?.tax ?? 0,
      total_amount: cart?.total ?? 0,
    },
  }
}

/** Above 0: what is owed to the customer from then on; below: what was owed and pays a part. */
const customerCredits = ({ charged }: ChangeCart): number =>
  charged.added > 0 ? charged.added : 0 - charged.used

/** The plan, its add-ons, and what is billed with them, as the cart has them. */
function lineItems(decided: DecidedChange, { lines }: ChangeCart) {
  const { rest, wanted } = decided
  const { before, plan, request, usage } = wanted
  const factor = request.mode === 'prorated_immediately' ? Number(rest.left) / Number(rest.of) : 1
  const [first, ...others] = lines
  const addons = others.slice(0, plan.addons.length)
  const { metered } = usage(decided.at)
  return [
    ...(first === undefined ? [] : [planItem(first, { id: before.subscriptionId, factor, plan })]),
    ...addons.map((line, index) => addonItem(line, { index, factor, plan })),
    ...others.slice(plan.addons.length).map((line) => meterItem(line, { metered, plan })),
  ]
}

/** Tax rates are in percent. [resources#taxes] */
const taxed = ({ tax, taxInclusive, taxRate }: PaidLine) => ({
  tax,
  tax_inclusive: taxInclusive,
  tax_rate: taxRate / 10_000,
})

const planItem = (
  line: PaidLine,
  of: { readonly id: string; readonly factor: number; readonly plan: SubscribedPlan },
) => ({
  ...taxed(line),
  id: of.id,
  currency: of.plan.currency,
  description: line.description,
  name: line.name,
  product_id: of.plan.productId,
  proration_factor: of.factor,
  quantity: of.plan.quantity,
  type: 'subscription' as const,
  unit_price: (of.plan.recurringPreTaxAmount - priceOfAddons(of.plan.addons)) / of.plan.quantity,
})

const addonItem = (
  line: PaidLine,
  of: { readonly index: number; readonly factor: number; readonly plan: SubscribedPlan },
) => ({
  ...taxed(line),
  id: line.itemId,
  currency: of.plan.currency,
  description: line.description,
  name: line.name ?? '',
  proration_factor: of.factor,
  quantity: of.plan.addons[of.index]?.quantity ?? 0,
  tax_category: line.taxCategory,
  type: 'addon' as const,
  unit_price: of.plan.addons[of.index]?.price ?? 0,
})

/** Usage of the cycle that ends; overage, and what waited, is one unit at what it costs. */
function meterItem(
  line: PaidLine,
  of: { readonly metered: readonly MeterPeriod[]; readonly plan: SubscribedPlan },
) {
  const meter = of.metered.find(({ meterId }) => meterId === line.itemId)
  return {
    ...taxed(line),
    id: line.itemId,
    chargeable_units:
      meter === undefined ? '1' : formatDecimal(meter.chargeable, limits.usageScale),
    currency: of.plan.currency,
    description: line.description,
    free_threshold:
      meter === undefined ? 0 : Number(meter.freeThreshold / powerOfTen(limits.usageScale)),
    name: line.name ?? '',
    price_per_unit: meter?.pricePerUnit ?? String(line.price),
    subtotal: line.price,
    type: 'meter' as const,
    units_consumed: meter === undefined ? '1' : formatDecimal(meter.consumed, limits.usageScale),
  }
}
