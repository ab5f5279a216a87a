import type { LoneFact } from '../../parts/store/changes.ts'
import type { EntitlementGrants } from '../../parts/store/entitlement-grants.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { subscriptionGrants } from '../../rules/commerce/entitlements/subscription-grants.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { GrantObjects } from '../../rules/facts/grant-facts.ts'
import { randomLicenseKey } from '../../runtime/license-key.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { GrantObjectNeeds } from './grant-objects.ts'
import { grantObjects } from './grant-objects.ts'
import type { WrittenMoves } from './written-moves.ts'
import { broughtBy, writtenMoves } from './written-moves.ts'

export interface GrantingNeeds extends GrantObjectNeeds {
  readonly entitlementGrants: Pick<EntitlementGrants, 'broughtBy'>
  readonly products: Products
  readonly newId: NewId
}

/** Pure: what a change of the subscription does to its grants, to be written with it. */
export type GrantingOfSubscription = (
  after: Subscription,
  at: Instant,
) => Pick<WrittenMoves, 'rows'> & { readonly facts: readonly LoneFact[] }

/**
 * Loads what a subscription has been granted, and what the plans bring that it may move to.
 * [entitlements#subscriptions]
 */
export async function grantingOf(
  needs: GrantingNeeds,
  scope: Scope,
  of: { readonly before: Subscription; readonly mayBeOf?: string | undefined },
): Promise<GrantingOfSubscription> {
  const { before, mayBeOf } = of
  const { changing, scheduled, subscriptionId } = before
  const ahead = [changing?.plan.productId, scheduled?.plan.productId, mayBeOf]
  const plans = ahead.flatMap((id) => id ?? [])
  const [grants, products] = await Promise.all([
    needs.entitlementGrants.broughtBy(scope, { paymentIds: [], subscriptionIds: [subscriptionId] }),
    Promise.all([...new Set(plans)].map((id) => needs.products.get(scope, id))),
  ])
  const known = products.flatMap((product) => product ?? [])
  const entitlementIds = known.flatMap((product) => product.entitlementIds)
  const parts =
    grants.length + entitlementIds.length === 0
      ? nothingKnown
      : await grantObjects(needs, scope, { grants, entitlementIds })
  return (after, at) => {
    const brought = new Map(known.map((each) => [each.productId, broughtBy(each, parts)]))
    const { newId } = needs
    const moment = { at, newId, newKey: randomLicenseKey }
    const moves = subscriptionGrants(
      { before, after },
      { ...parts, grants, broughtBy: brought },
      moment,
    )
    return told(needs, writtenMoves(moves, parts), at)
  }
}

const nothingKnown: GrantObjects = { entitlements: new Map(), files: new Map(), keys: [] }

const told = (
  { newId }: Pick<GrantingNeeds, 'newId'>,
  { rows, facts }: WrittenMoves,
  at: Instant,
): ReturnType<GrantingOfSubscription> => ({
  rows,
  facts: facts.map((fact) => ({ ...fact, messageId: newId('msg'), at })),
})
