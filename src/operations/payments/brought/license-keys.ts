import type { Scope } from '../../../parts/store/scope.ts'
import { isRecurring } from '../../../rules/commerce/catalog/price.ts'
import type { Product } from '../../../rules/commerce/catalog/product.ts'
import type { ProductEntitlement } from '../../../rules/commerce/entitlements/product-entitlement.ts'
import type { LicenseKey } from '../../../rules/commerce/licenses/license-key.ts'
import type { Payment, PurchasedProduct } from '../../../rules/commerce/payments/payment.ts'
import { licenseKeyFact } from '../../../rules/facts/license-facts.ts'
import { issuedKeys } from '../../licenses/issued-keys.ts'
import type { Bringing } from './bringing.ts'

/**
 * A license key for each unit of what was bought, where the product itself brings some: an
 * entitlement to keys takes its place. A subscription gets its keys with its first payment, and
 * keeps them; for a plan change that was given up before it was paid, none come.
 * [licenses#license-keys, subscriptions#paying-for-a-change]
 */
export const bringLicenseKeys: Bringing = async (needs, scope, { payment, outcome }) => {
  if (outcome.status !== 'succeeded' || (await isGivenUp(needs, scope, payment))) return null
  const ids = payment.products.map(({ productId }) => productId)
  const products = await needs.products.many(scope, ids)
  const licensed = payment.products.flatMap((item) => {
    const product = products.get(item.productId)
    return product?.license.enabled === true ? [{ item, product }] : []
  })
  if (licensed.length === 0) return null
  const named = licensed.flatMap(({ product }) => product.entitlementIds)
  const entitlements = await needs.productEntitlements.many(scope, named)
  const subscriptionIds = payment.subscriptionId === null ? [] : [payment.subscriptionId]
  const has = await needs.licenseKeys.broughtBy(scope, { paymentIds: [], subscriptionIds })
  return {
    entitlementIds: [],
    decide: ({ payment, at, newId }) => {
      const keys = licensed.filter(isOwed).flatMap(({ item, product }) => {
        const { customerId, paymentId, subscriptionId } = payment
        const purchase = {
          customerId,
          productId: product.productId,
          brandId: payment.brandId,
          paymentId,
          subscriptionId: isRecurring(product.price) ? subscriptionId : null,
          grantId: null,
          terms: product.license,
        }
        return issuedKeys(newId, purchase, { at, quantity: item.quantity })
      })
      return {
        rows: keys.map((row) => ({ noun: 'license_key', expected: null, row }) as const),
        facts: keys.map(licenseKeyFact),
      }
    },
  }

  function isOwed({ product }: { readonly item: PurchasedProduct; readonly product: Product }) {
    const entitled = product.entitlementIds.flatMap((id) => entitlements.get(id) ?? [])
    if (entitled.some(bringsKeys)) return false
    if (!isRecurring(product.price)) return true
    return !has.some((key: LicenseKey) => key.productId === product.productId)
  }
}

/** Whether it pays a plan change that its subscription no longer waits for. */
async function isGivenUp(
  { subscriptions }: Parameters<Bringing>[0],
  scope: Scope,
  { paymentId, purpose, subscriptionId }: Payment,
): Promise<boolean> {
  if (purpose !== 'plan_change' || subscriptionId === null) return false
  const subscription = await subscriptions.find(scope, subscriptionId)
  return subscription?.changing?.paymentId !== paymentId
}

const bringsKeys = ({ config, deletedAt }: ProductEntitlement): boolean =>
  config.type === 'license_key' && deletedAt === null
