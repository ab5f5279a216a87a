import type { Collections } from '../../parts/store/collections.ts'
import type { Ledger } from '../../parts/store/ledger.ts'
import type { LicenseKeys } from '../../parts/store/license-keys.ts'
import type { Payments } from '../../parts/store/payments.ts'
import type { HeldCredits } from '../../rules/accounts/read-account.ts'
import { productIdsOnSale } from '../../rules/commerce/catalog/collection-on-sale.ts'
import { isRecurring } from '../../rules/commerce/catalog/price.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { LicenseKey } from '../../rules/commerce/licenses/license-key.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { SavedMethod } from '../../rules/commerce/payments/saved-method.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { GrantTold } from '../../rules/facts/grant-facts.ts'
import { customerCredits } from '../customers/credit-entitlements.ts'
import type { PlanChangeNeeds } from '../subscriptions/prepare-plan-change.ts'
import type { UpdateNeeds } from '../subscriptions/update-subscription.ts'
import type { PortalVisit, PortalVisitNeeds } from './portal-link.ts'
import type { VisitorGrantNeeds } from './visitor-grants.ts'
import { visitorGrants } from './visitor-grants.ts'

export interface ShowPortalNeeds
  extends PlanChangeNeeds,
    PortalVisitNeeds,
    Pick<VisitorGrantNeeds, 'productEntitlements' | 'storedFiles'>,
    Pick<UpdateNeeds, 'brands'> {
  readonly clock: PlanChangeNeeds['clock']
  readonly businesses: PlanChangeNeeds['businesses'] & PortalVisitNeeds['businesses']
  readonly customers: PlanChangeNeeds['customers']
  readonly collections: Pick<Collections, 'get'>
  readonly entitlementGrants: PlanChangeNeeds['entitlementGrants'] &
    VisitorGrantNeeds['entitlementGrants']
  readonly ledger: Ledger
  readonly payments: Payments
  readonly licenseKeys: Pick<LicenseKeys, 'broughtBy' | 'list'>
}

/** A subscription of the visitor, and what its plan is called. */
export interface ShownSubscription {
  readonly subscription: Subscription
  readonly productName: string
}

/** What the portal shows first; the newest of each kind. */
export interface ShownPortal {
  readonly subscriptions: readonly ShownSubscription[]
  readonly credits: readonly HeldCredits[]
  readonly payments: readonly Payment[]
  /** What was granted besides credits. */
  readonly grants: readonly GrantTold[]
  /** Those that no grant among these has brought. */
  readonly licenseKeys: readonly LicenseKey[]
  readonly methods: readonly SavedMethod[]
}

/** More than this of a kind nobody reads on one page. */
const shownMost = 50

/** What belongs to the visitor, and to nobody else. [payments#portal] */
export async function showPortal(needs: ShowPortalNeeds, visit: PortalVisit): Promise<ShownPortal> {
  const { scope, customer, at } = visit
  const { customerId } = customer
  const page = { limit: shownMost, offset: 0 }
  const [subscriptions, credits, payments, grants, licenseKeys, methods] = await Promise.all([
    needs.subscriptions.list(scope, { ...anySubscription, customerId }, page),
    customerCredits(needs, scope, customerId),
    needs.payments.list(scope, { ...anyPayment, customerId }, page),
    visitorGrants(needs, visit, shownMost),
    needs.licenseKeys.list(scope, { ...anyLicenseKey, customerId, at }, page),
    needs.paymentMethods.ofCustomer(scope, customerId),
  ])
  const productIds = [...new Set(subscriptions.map(({ productId }) => productId))]
  const products = await needs.products.many(scope, productIds)
  return {
    subscriptions: subscriptions.map((subscription) => ({
      subscription,
      productName: products.get(subscription.productId)?.name ?? subscription.productId,
    })),
    credits,
    payments,
    grants,
    licenseKeys: licenseKeys.filter(
      ({ grantId }) => !grants.some(({ grant }) => grant.grantId === grantId),
    ),
    methods,
  }
}

const anySubscription = {
  brandId: null,
  productId: null,
  status: null,
  disputeStatus: null,
  cancelling: null,
  createdFrom: null,
  createdTo: null,
} as const

const anyLicenseKey = {
  productId: null,
  status: null,
  source: null,
  createdFrom: null,
  createdTo: null,
} as const

const anyPayment = {
  brandId: null,
  productId: null,
  subscriptionId: null,
  currency: null,
  status: null,
  disputeStatus: null,
  createdFrom: null,
  createdTo: null,
} as const

/** The plans to which the visitor may change: those shown in the collection of the present one. */
export async function plansFor(
  needs: ShowPortalNeeds,
  { scope }: PortalVisit,
  { productId, currency }: Subscription,
): Promise<readonly Product[]> {
  const now = await needs.products.get(scope, productId)
  const { collectionId = null } = now ?? {}
  const collection = collectionId === null ? null : await needs.collections.get(scope, collectionId)
  if (collection === null || collection.archivedAt !== null) return []
  const ids = productIdsOnSale(collection)
  const products = await needs.products.many(scope, ids)
  return ids.flatMap((id) => {
    const product = products.get(id)
    if (product === undefined || product.archivedAt !== null || id === productId) return []
    return isRecurring(product.price) && product.price.currency === currency ? [product] : []
  })
}
