import type { ProrationMode } from '../rules/commerce/proration-mode.ts'
import { prorationModes } from '../rules/commerce/proration-mode.ts'
import type { PlanChangeRequest } from '../rules/commerce/subscriptions/decide-plan-change.ts'
import type { Charged } from '../rules/commerce/subscriptions/owed.ts'
import type { SubscribedPlan } from '../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { flag, id, metadata, nullable, oneOf, text, whole } from './schemas.ts'
import { addon } from './subscription.ts'
import type { SubscriptionView } from './subscription-view.ts'

/** [resources#subscriptions] */
export interface PlanChange {
  readonly product_id: string
  readonly proration_billing_mode: ProrationMode
  readonly quantity: number
  readonly addons?: readonly { readonly addon_id: string; readonly quantity: number }[] | null
  readonly cancel_scheduled_change_plan?: boolean | null
  readonly collect_via_payment_link?: boolean | null
  readonly discount_code?: string | null
  readonly discount_codes?: readonly string[] | null
  readonly effective_at?: 'immediately' | 'next_billing_date' | null
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null
  readonly on_payment_failure?: 'prevent_change' | 'apply_change' | null
}

export const planChange = schema<PlanChange>({
  type: 'object',
  required: ['product_id', 'proration_billing_mode', 'quantity'],
  properties: {
    product_id: id,
    proration_billing_mode: oneOf(prorationModes),
    quantity: whole(1, 2 ** 31 - 1),
    // Without meaning as long as there are no prices in several currencies. [resources#prices]
    adaptive_currency_fees_inclusive: nullable(flag),
    addons: { type: ['array', 'null'], items: addon },
    cancel_scheduled_change_plan: nullable(flag),
    collect_via_payment_link: nullable(flag),
    discount_code: nullable(text(1, 255)),
    discount_codes: { type: ['array', 'null'], maxItems: 20, items: text(1, 255) },
    effective_at: nullable(oneOf(['immediately', 'next_billing_date'])),
    metadata: nullable(metadata),
    on_payment_failure: nullable(oneOf(['prevent_change', 'apply_change'])),
  },
})

/** The plan change that a body asks for. */
export const planChangeRequest = (body: PlanChange): Omit<PlanChangeRequest, 'subscriptionId'> => ({
  productId: body.product_id,
  quantity: body.quantity,
  mode: body.proration_billing_mode,
  waits: body.effective_at === 'next_billing_date',
  replaces: body.cancel_scheduled_change_plan === true,
  metadata: body.metadata ?? null,
})

export const collectsViaLink = (body: PlanChange): boolean => body.collect_via_payment_link === true

/** Nothing to pay by a link, so all four are null. [resources#subscriptions] */
export const planChanged = {
  client_secret: null,
  expires_on: null,
  payment_id: null,
  payment_link: null,
} as const

/** What a plan change would charge, and when. */
export interface ImmediateCharge {
  readonly subscriptionId: string
  readonly effectiveAt: Instant
  readonly charged: Charged
  readonly plan: SubscribedPlan
  readonly productName: string | null
  readonly productDescription: string | null
  /** The part of the new price that is charged; null: nothing is charged, whatever the price. */
  readonly factor: number | null
}

/** [resources#plan-change-previews] */
export const planChangePreview = (charge: ImmediateCharge, newPlan: SubscriptionView) => ({
  immediate_charge: immediateCharge(charge),
  new_plan: newPlan,
})

function immediateCharge(of: ImmediateCharge) {
  const { plan, charged } = of
  return {
    effective_at: formatInstant(of.effectiveAt),
    line_items: of.factor === null ? [] : [lineItem(of, of.factor)],
    summary: {
      currency: plan.currency,
      // Above 0: what is owed to the customer from then on; below: what was owed and pays for the
      // charge.
      customer_credits: charged.added > 0 ? charged.added : 0 - charged.used,
      settlement_amount: charged.due,
      settlement_currency: plan.currency,
      settlement_tax: null,
      tax: null,
      total_amount: charged.due,
    },
  }
}

const lineItem = (of: ImmediateCharge, factor: number) => ({
  id: of.subscriptionId,
  currency: of.plan.currency,
  description: of.productDescription,
  name: of.productName,
  product_id: of.plan.productId,
  proration_factor: factor,
  quantity: of.plan.quantity,
  tax: null,
  tax_inclusive: of.plan.taxInclusive,
  tax_rate: null,
  type: 'subscription' as const,
  unit_price: of.plan.recurringPreTaxAmount / of.plan.quantity,
})
