import { orNotFound, unlessRefused } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type {
  PlanChangeRequest,
  WantedChange,
} from '../../rules/commerce/subscriptions/decide-plan-change.ts'
import { wantedChange } from '../../rules/commerce/subscriptions/decide-plan-change.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { entitlementsOf } from './entitlements-of.ts'

export interface PlanChangeNeeds extends DueFirstNeeds {
  readonly products: Products
  readonly creditEntitlements: CreditEntitlements
}

/** Loads what a plan change names. Refuses 404 for a product, and what wantedChange() refuses. */
export async function preparePlanChange(
  needs: PlanChangeNeeds,
  scope: Scope,
  { before, request }: { readonly before: Subscription; readonly request: PlanChangeRequest },
): Promise<WantedChange> {
  const { productId } = request
  const product = orNotFound(await needs.products.get(scope, productId), 'product', productId)
  const entitlements = await entitlementsOf(needs.creditEntitlements, scope, product)
  const { newId } = needs
  return unlessRefused(wantedChange({ before, request, product, entitlements, newId }))
}
