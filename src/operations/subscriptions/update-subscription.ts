import { refuse, unlessRefused } from '../../faults.ts'
import type { Brands } from '../../parts/store/brands.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { disabledRejection } from '../../rules/commerce/catalog/brand.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Rejection } from '../../rules/commerce/catalog/rejection.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { isOver } from '../../rules/commerce/subscriptions/subscription.ts'
import type { SubscriptionPatch } from '../../rules/commerce/subscriptions/update.ts'
import { mayConcernCredits, updatedBy } from '../../rules/commerce/subscriptions/update.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { carryOut } from '../payments/carry-out.ts'
import type { PreparedChange } from './change-subscription.ts'
import type { SubscriptionCommand } from './command-subscription.ts'
import { commandSubscription } from './command-subscription.ts'
import { lastChargeOf } from './last-charge.ts'

export interface UpdateNeeds extends DueFirstNeeds {
  readonly brands: Pick<Brands, 'get'>
  readonly creditEntitlements: CreditEntitlements
}

export interface UpdateRequest {
  readonly subscriptionId: string
  readonly patch: SubscriptionPatch
}

/**
 * Changes a subscription. Refuses 404 for an unknown one, too many keys or too large integers in
 * metadata, 409 one that is over and of an archived brand, and what updatedBy() refuses.
 * [resources#subscriptions]
 */
export async function updateSubscription(
  needs: UpdateNeeds,
  scope: Scope,
  request: UpdateRequest,
): Promise<void> {
  const command = updateCommand(needs, scope, request)
  await commandSubscription(needs, scope, command)
  const attempt = command.attempted()
  if (attempt !== null) await carryOut(needs, scope, attempt)
}

interface UpdateCommand extends SubscriptionCommand {
  /** The payment of what it charges last, once it is written; null: it charges nothing. */
  readonly attempted: () => Payment | null
}

/** The command that changes a subscription, to be carried out or only foreseen. */
export function updateCommand(
  needs: UpdateNeeds,
  scope: Scope,
  { patch, subscriptionId }: UpdateRequest,
): UpdateCommand {
  let attempted: () => Payment | null = () => null
  return { operation: 'update_subscription', subscriptionId, prepare, attempted: () => attempted() }

  async function prepare(before: Subscription): Promise<PreparedChange> {
    refuse(metadataRejection(patch.metadata ?? {}))
    // Live ones have left an archived brand. [resources#brands]
    if (isOver(before)) refuse(await brandRejection(needs, scope, before))
    const precisions = await precisionsOf(needs, scope, before)
    const carried = [...before.cart, ...before.leaving].map((item) => item.creditEntitlementId)
    const settling = await lastChargeOf(needs, scope, { before, patch })
    attempted = settling.attempted
    return {
      entitlementIds: mayConcernCredits(patch) ? [...new Set(carried)] : [],
      decide: (at, views) => {
        const log = needs.clock.now()
        const changed = unlessRefused(updatedBy(patch, before, { at, log, precisions }))
        return settling.settle(changed, { at, views })
      },
    }
  }
}

async function brandRejection(
  { brands }: UpdateNeeds,
  scope: Scope,
  { brandId }: Subscription,
): Promise<Rejection | null> {
  const brand = await brands.get(scope, brandId)
  return brand === null ? null : disabledRejection(brand)
}

async function precisionsOf(
  { creditEntitlements }: UpdateNeeds,
  scope: Scope,
  { cart }: Subscription,
): Promise<ReadonlyMap<string, number>> {
  const ids = cart.map((item) => item.creditEntitlementId)
  const found = await creditEntitlements.many(scope, ids)
  return new Map([...found].map(([id, { precision }]) => [id, precision]))
}
