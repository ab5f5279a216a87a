import { expect } from 'vitest'
import { createCheckout } from '../../../src/operations/checkouts/create-checkout.ts'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import { grantDifferences } from '../../../src/operations/verify/commerce.ts'
import type { RowChange } from '../../../src/parts/store/changes.ts'
import { audit } from '../../../src/parts/store/postgres/audit/audit.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { licenseKeys } from '../../../src/parts/store/postgres/licenses/license-keys.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { EntitlementConfig } from '../../../src/rules/commerce/entitlements/product-entitlement.ts'
import { item, onceFor, productOf, recurringFor } from '../../rules/commerce/payments/purchases.ts'
import { checkoutFor, payingWith } from '../../support/payments/checkouts.ts'
import { changeWith } from '../../support/store/decided.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { january } from '../../support/store/scratch-store.ts'

export const license = (fulfillment: 'auto' | 'manual'): EntitlementConfig => ({
  type: 'license_key',
  activationMessage: null,
  activationsLimit: 2,
  duration: null,
  fulfillment,
})
export const kinds: readonly EntitlementConfig[] = [
  { type: 'feature_flag', featureId: 'beta' },
  license('auto'),
  license('manual'),
  { type: 'github', settings: { target_id: 'a/b', permission: 'pull' } },
]

/** What tests of grants do in a open(). */
export function grantsIn(open: () => ScratchStore) {
  async function entitlements(scope: Scope, configs: readonly EntitlementConfig[]) {
    const rows = configs.map((config) => ({
      entitlementId: open().newId('ent'),
      name: config.type,
      description: null,
      config,
      metadata: {},
      deletedAt: null,
      createdAt: january,
      updatedAt: january,
    }))
    await commit(
      scope,
      rows.map((row) => ({ noun: 'product_entitlement', expected: null, row }) as const),
    )
    return rows.map(({ entitlementId }) => entitlementId)
  }

  async function commit(scope: Scope, rows: readonly RowChange[]) {
    const change = { ...changeWith(scope, { rows }), clockAhead: null }
    expect(await open().changes.commit(change)).toBe('committed')
  }

  async function product(scope: Scope, entitlementIds: readonly string[], recurs = false) {
    const price = recurs ? recurringFor(100) : onceFor(100)
    const row = productOf(open().newId('pdt'), price, { entitlementIds })
    await commit(scope, [{ noun: 'product', expected: null, row }])
    return row.productId
  }

  async function bought(recurs: boolean, configs = kinds) {
    const scope = await open().business()
    const ids = await entitlements(scope, configs)
    const productId = await product(scope, ids, recurs)
    const request = checkoutFor([item(productId, recurs ? 1 : 2)])
    const { sessionId } = await createCheckout(open(), scope, { request, at: january })
    await payCheckout(open(), 'test', payingWith(sessionId, '4242424242424242'))
    const session = await open().sessions.get(scope, sessionId)
    const paymentId = session?.paymentId ?? ''
    const payment = await open().payments.get(scope, paymentId)
    const subscriptionId = payment?.subscriptionId ?? ''
    const grants = () =>
      open().entitlementGrants.broughtBy(scope, { paymentIds: [paymentId], subscriptionIds: [] })
    const keys = async () =>
      open().licenseKeys.broughtBy(scope, {
        grantIds: (await grants()).map(({ grantId }) => grantId),
      })
    return { scope, ids, paymentId, subscriptionId, grants, keys }
  }

  const told = async ({ businessId }: Scope) =>
    (
      await open().db.query<{ type: string }>(sql`
        select type from outbox where business_id = ${businessId}
        and (type like 'entitlement_grant%' or type like 'license_key%') order by id`)
    ).map(({ type }) => type)

  const found = async ({ businessId }: Scope) => {
    const all: string[] = []
    for await (const { sentence } of grantDifferences(audit(open().db), businessId))
      all.push(sentence)
    return all
  }

  const needs = () => ({ ...open(), licenseKeys: licenseKeys(open().db) })

  return { entitlements, product, bought, told, found, needs }
}
