import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import type { Addon, CarriedAddon } from '../catalog/addon.ts'
import type { PlanChangeDefaults } from '../catalog/collection.ts'
import type { CreditEntitlement } from '../catalog/credit-entitlement.ts'
import { metadataRejection } from '../catalog/metadata.ts'
import type { Product } from '../catalog/product.ts'
import { archivedRejection } from '../catalog/product-change.ts'
import type { TaxRow } from '../charges/tax-table.ts'
import type { Discount, KeptDiscount } from '../discounts/discount.ts'
import { staysWithPlan } from '../discounts/discount.ts'
import type { Claim } from '../discounts/redeem.ts'
import { redeemAll } from '../discounts/redeem.ts'
import { keysRejection } from '../licenses/license-key.ts'
import { attachableRejection } from '../subscriptions/attachable.ts'
import { planChangeRejection } from '../subscriptions/plan-change-rejection.ts'
import type { PlanChangeRequest } from '../subscriptions/plan-change-request.ts'
import { onPlan } from '../subscriptions/renewal.ts'
import { planOf } from '../subscriptions/start.ts'
import type { SubscribedPlan, Subscription } from '../subscriptions/subscription.ts'
import { isRejection } from '../subscriptions/subscription-rejection.ts'
import type { UsageBillAt } from '../subscriptions/usage-bill.ts'
import { most } from './cart.ts'
import { carriedAddon, carriedAddons } from './cart-lines.ts'
import type { PaymentRejection } from './payment-rejection.ts'
import { discountedCart, totalled } from './priced-lines.ts'
import { planLines } from './renewal-cart.ts'
import { ratesIn, salePlace } from './sale-place.ts'

/** What a change is paid with and billed by. */
export interface ChangePaying {
  /** Whether there is something to charge. */
  readonly hasMethod: boolean
  /** What the business taxes in the subscription's country. */
  readonly taxes: readonly TaxRow[]
  readonly usage: UsageBillAt
  /** Codes of the subscription that have lowered its open cycle. */
  readonly lowering: readonly KeptDiscount[]
}

/** A plan change with all objects that it names, before its time is known. */
export interface WantedChange extends ChangePaying {
  readonly request: PlanChangeRequest
  readonly before: Subscription
  readonly product: Product
  readonly plan: SubscribedPlan
  readonly waits: boolean
  readonly onFailure: NonNullable<PlanChangeDefaults['onPaymentFailure']>
  /** The codes that it is to have, before any payment that they lower. */
  readonly discounts: readonly KeptDiscount[]
  /** Those among them that are redeemed with the change. */
  readonly redeemed: readonly Discount[]
  /** The id of the change. */
  readonly changeId: string
}

export interface PlanChangeFacts {
  readonly before: Subscription
  readonly request: PlanChangeRequest
  /** At the price of the subscription's market. */
  readonly product: Product
  /** Every entitlement that the product maps. */
  readonly entitlements: ReadonlyMap<string, CreditEntitlement>
  /** The add-ons that are named, as far as they exist. */
  readonly addons: ReadonlyMap<string, Addon>
  /** The codes that are named; null: none are, and those stay that are to. */
  readonly claims: readonly Claim[] | null
  /** How plans of the product's collection change; null: it is in none. */
  readonly defaults: PlanChangeDefaults | null
  readonly paying: ChangePaying
  readonly at: Instant
  readonly newId: NewId
}

/**
 * Whether the plan can be changed as asked. Refuses what planChangeRejection() refuses; a product
 * that brings in a deleted credit entitlement; more license keys than come at once; add-ons, a
 * quantity, a brand, a currency or codes that do not fit. [resources#subscriptions,
 * requests#refusals, credits#deleted-entitlements, licenses#license-keys]
 */
export function wantedChange(facts: PlanChangeFacts): WantedChange | PaymentRejection {
  const { before, defaults, request, product, entitlements, paying } = facts
  const carried = before.cart.map((item) => item.creditEntitlementId)
  const rejected =
    archivedRejection(product) ??
    planChangeRejection(before, request) ??
    attachableRejection(product, entitlements, carried) ??
    keysRejection(product, request.quantity)
  if (rejected !== null) return rejected
  const addons = addonsOf(facts)
  if ('code' in addons) return addons
  const plan = planOf({ product, entitlements, quantity: request.quantity, addons })
  if (isRejection(plan)) return plan
  const unfit =
    misfit(facts, plan) ?? tooDear(facts, plan) ?? metadataRejection(request.metadata ?? {})
  if (unfit !== null) return unfit
  const codes = codesOf(facts, plan)
  if ('code' in codes) return codes
  return {
    ...paying,
    ...codes,
    request,
    before,
    product,
    plan,
    waits: request.waits ?? waitsBy(facts, plan),
    onFailure: request.onFailure ?? defaults?.onPaymentFailure ?? 'apply_change',
    changeId: facts.newId('spc'),
  }
}

function addonsOf({
  addons,
  product,
  request,
}: PlanChangeFacts): readonly CarriedAddon[] | PaymentRejection {
  const found = carriedAddons(request, product, { addons, field: '' })
  if ('code' in found) return found
  const { currency } = product.price
  const other = found.find(({ addon }) => addon.currency !== currency)
  if (other === undefined) return found.map(carriedAddon)
  const problem = `The add-on '${other.addon.addonId}' has a price in ${other.addon.currency}, and the product one in ${currency}.`
  return { code: 'UNSUPPORTED_BILLING_CURRENCY', problem }
}

function misfit({ before }: PlanChangeFacts, plan: SubscribedPlan): PaymentRejection | null {
  if (plan.brandId !== before.brandId) {
    const problem = `This subscription is of the brand '${before.brandId}'; choose a product of that brand.`
    return { code: 'BRAND_MISMATCH', problem }
  }
  if (plan.currency === before.currency) return null
  const problem = `This subscription is billed in ${before.currency}; choose a product in that currency.`
  return { code: 'UNSUPPORTED_ACTION', problem }
}

/** Refuses a cycle that no payment could be of, before codes. [requests#numbers] */
function tooDear(
  { before, paying, product }: PlanChangeFacts,
  plan: SubscribedPlan,
): PaymentRejection | null {
  const { total } = totalled(planLines(onPlan(before, plan, []), product), {
    redemptions: [],
    owed: 0,
    rateOf: ratesIn(salePlace(before.billing, before.taxId), paying.taxes),
  })
  if (total <= most) return null
  const problem = `A cycle of the plan with its add-ons and taxes must cost at most ${most} of the currency's smallest unit.`
  return { code: 'INVALID_REQUEST_BODY', problem }
}

/** Those that are named in place of all others, each redeemed anew; else those that stay. */
function codesOf(
  { at, before, claims, product }: PlanChangeFacts,
  plan: SubscribedPlan,
): Pick<WantedChange, 'discounts' | 'redeemed'> | PaymentRejection {
  if (claims === null) {
    const stays = ({ discount }: KeptDiscount) => staysWithPlan(discount, plan.productId)
    return { discounts: before.discounts.filter(stays), redeemed: [] }
  }
  const had = new Set(before.discounts.map(({ discount }) => discount.discountId))
  const again = claims.find(({ discount }) => had.has(discount.discountId))
  if (again !== undefined) {
    const problem = `This subscription has the discount code '${again.discount.code}' already.`
    return { code: 'DISCOUNT_ALREADY_USED_ON_SUBSCRIPTION', problem }
  }
  const lines = planLines(onPlan(before, plan, []), product)
  const { currency } = plan
  const redeemed = redeemAll(claims, discountedCart(lines, { currency, onDemand: false }), at)
  if ('problem' in redeemed) return forNewProduct(redeemed)
  const discounts = redeemed.map(({ discount }) => discount)
  return {
    redeemed: discounts,
    discounts: discounts.map((discount) => ({
      discount,
      cyclesRemaining: discount.subscriptionCycles,
    })),
  }
}

const forNewProduct = ({ code, problem }: PaymentRejection): PaymentRejection =>
  code === 'DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT'
    ? { code: 'DISCOUNT_NOT_APPLICABLE_TO_NEW_PRODUCT', problem }
    : { code, problem }

/** As the collection says, where the mode can wait. [resources#product-collections] */
function waitsBy({ before, defaults, request }: PlanChangeFacts, plan: SubscribedPlan): boolean {
  if (defaults === null || request.mode !== 'full_immediately') return false
  const isUpgrade = plan.recurringPreTaxAmount >= before.recurringPreTaxAmount
  const when = isUpgrade ? defaults.effectiveAtOnUpgrade : defaults.effectiveAtOnDowngrade
  return when === 'next_billing_date'
}
