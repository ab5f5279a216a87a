import type { PlanChangeDefaults } from '../rules/commerce/catalog/collection.ts'
import { effectiveTimes, failureReactions } from '../rules/commerce/catalog/collection.ts'
import type { Payment } from '../rules/commerce/payments/payment.ts'
import type { ProrationMode } from '../rules/commerce/proration-mode.ts'
import { prorationModes } from '../rules/commerce/proration-mode.ts'
import type { PlanChangeRequest } from '../rules/commerce/subscriptions/plan-change-request.ts'
import { schema } from '../std/schema.ts'
import { waysToSettle } from './payment-create.ts'
import { flag, id, metadata, nullable, oneOf, text, whole } from './schemas.ts'
import { addon } from './subscription.ts'

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
  readonly effective_at?: (typeof effectiveTimes)[number] | null
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null
  readonly on_payment_failure?: PlanChangeDefaults['onPaymentFailure']
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
    effective_at: nullable(oneOf(effectiveTimes)),
    metadata: nullable(metadata),
    on_payment_failure: nullable(oneOf(failureReactions)),
  },
})

/** What is wrong with fields that are right one by one; null: nothing. */
export function planChangeProblem(body: PlanChange): string | null {
  if (body.discount_code != null && body.discount_codes != null) {
    return 'discount_code and discount_codes exclude each other; use discount_codes.'
  }
  if (!collectsViaLink(body)) return null
  if (body.effective_at === 'next_billing_date') {
    return 'collect_via_payment_link needs effective_at "immediately".'
  }
  if (body.on_payment_failure === 'prevent_change') return null
  return 'collect_via_payment_link needs on_payment_failure "prevent_change".'
}

/** The plan change that a body asks for. */
export const planChangeRequest = (body: PlanChange): Omit<PlanChangeRequest, 'subscriptionId'> => ({
  productId: body.product_id,
  quantity: body.quantity,
  mode: body.proration_billing_mode,
  addons: (body.addons ?? []).map(({ addon_id, quantity }) => ({ addonId: addon_id, quantity })),
  discountCodes: body.discount_codes ?? (body.discount_code == null ? null : [body.discount_code]),
  waits: waitsIn(body),
  replaces: body.cancel_scheduled_change_plan === true,
  onFailure: body.on_payment_failure ?? null,
  metadata: body.metadata ?? null,
})

export const collectsViaLink = (body: PlanChange): boolean => body.collect_via_payment_link === true

/** One that is paid by a link waits for nothing else, whatever the collection says. */
const waitsIn = (body: PlanChange): boolean | null =>
  body.effective_at == null && !collectsViaLink(body)
    ? null
    : body.effective_at === 'next_billing_date'

/**
 * All four are null once the saved method has paid, or nothing was to be paid; else `payment_id`
 * says what has become of it, and the others how it can be paid on a page.
 * [subscriptions#paying-for-a-change]
 */
export const planChanged = (payment: Payment | null) =>
  waysToSettle(
    payment,
    payment === null || payment.status === 'succeeded' ? null : payment.paymentId,
  )
