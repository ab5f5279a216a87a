import { Fault } from '../../../src/faults.ts'
import { adjustBalance } from '../../../src/operations/accounts/adjust-balance.ts'
import { updateCreditEntitlement } from '../../../src/operations/credit-entitlements/update-credit-entitlement.ts'
import { cancelScheduledChange } from '../../../src/operations/subscriptions/cancel-scheduled-change.ts'
import { changePlan } from '../../../src/operations/subscriptions/change-plan.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import type { AccountKey } from '../../../src/rules/accounts/view.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { instantOf } from '../../../src/std/instant.ts'
import { subscriptionPatch } from '../../../src/wire/subscription-update.ts'
import type { Call } from '../../model/billing/program.ts'
import { entitlementChange, text } from './catalog.ts'
import type { needsOf } from './needs.ts'
import type { Shelf } from './shelf.ts'
import { startFree } from './start-free.ts'

type CallNeeds = ReturnType<typeof needsOf>

export interface DeskCallsNeeds {
  readonly key: AccountKey
  readonly shelf: Pick<Shelf, 'scope' | 'customerId' | 'subscriptions'>
  /** The product of each of the program's plans. */
  readonly productIds: readonly string[]
  /** The subscriptions that calls have made; a call that subscribes adds one. */
  readonly subscriptionIds: string[]
}

/** A program's calls, each as the operation that the API would run. */
export function deskCalls({ key, shelf, productIds, subscriptionIds }: DeskCallsNeeds) {
  const { scope, customerId } = shelf
  const { entitlementId } = key
  return { make, found }

  async function make(own: CallNeeds, next: Call, subscriptionId: string): Promise<void> {
    switch (next.kind) {
      case 'credit':
      case 'debit': {
        const days = next.kind === 'credit' ? next.days : null
        await adjustBalance(own, {
          key,
          type: next.kind,
          amount: text(next.amount),
          reason: null,
          idempotencyKey: null,
          metadata: null,
          expiresAt: days === null ? null : instantOf(own.clock.now() + days * 86_400_000_000),
        })
        return
      }
      case 'subscribe': {
        const { subscriptionId } = await startFree(own, scope, {
          customerId,
          productId: productOf(next.plan),
          trialPeriodDays: next.trialDays,
        })
        subscriptionIds.push(subscriptionId)
        return
      }
      case 'reterm':
      case 'relink':
        await updateCreditEntitlement(own, scope, {
          id: entitlementId,
          at: own.clock.now(),
          change: entitlementChange(next),
        })
        return
      default:
        if (subscriptionId === '') throw new Fault('NOT_FOUND', 'There is no subscription.')
        await changed(own, next, subscriptionId)
    }
  }

  function productOf(index: number): string {
    return productIds[index % productIds.length] ?? ''
  }

  async function changed(
    own: CallNeeds,
    next: Extract<Call, { readonly which: number }>,
    subscriptionId: string,
  ): Promise<void> {
    const update = (body: object, nextBillingDate: Instant | null = null): Promise<void> =>
      updateSubscription(own, scope, {
        subscriptionId,
        patch: subscriptionPatch(body, nextBillingDate),
      })
    switch (next.kind) {
      case 'replan': {
        const waits = next.mode === 'at_the_end'
        const mode = next.mode === 'at_the_end' ? 'full_immediately' : next.mode
        await changePlan(own, scope, {
          subscriptionId,
          productId: productOf(next.plan),
          quantity: 1,
          mode,
          addons: [],
          discountCodes: null,
          waits,
          replaces: true,
          onFailure: null,
          metadata: null,
        })
        return
      }
      case 'unschedule':
        return cancelScheduledChange(own, scope, subscriptionId)
      case 'pause':
        return update({ status: 'paused' })
      case 'resume':
        return update({ status: 'active' })
      case 'cancel':
        return update({ status: 'cancelled' })
      case 'cancelAtEnd':
        return update({ cancel_at_next_billing_date: true })
      case 'redate': {
        return update({}, await newEnd(subscriptionId, next.days, own.clock.now()))
      }
      case 'recart': {
        const { amount, limit, overage, rollover, percentage, countMax } = next.patch
        const changes = {
          credit_entitlement_id: entitlementId,
          credits_amount: amount == null ? amount : text(amount),
          overage_limit: limit == null ? limit : text(limit),
          overage_enabled: overage,
          rollover_enabled: rollover,
          rollover_percentage: percentage,
          max_rollover_count: countMax,
        }
        return update({ credit_entitlement_cart: [changes] })
      }
    }
  }

  async function newEnd(subscriptionId: string, days: number, at: Instant): Promise<Instant> {
    const all = await Promise.all(subscriptionIds.map(found))
    const other = all.find(
      (each) =>
        each.subscriptionId !== subscriptionId &&
        each.status === 'active' &&
        each.nextBillingDate > at,
    )
    const { nextBillingDate: end } = await found(subscriptionId)
    if (days === 0) return other?.nextBillingDate ?? instantOf(end + 1_000_000)
    return instantOf(Math.max(end + days * 86_400_000_000, at + 3_600_000_000))
  }

  async function found(subscriptionId: string) {
    const subscription = await shelf.subscriptions.find(scope, subscriptionId)
    if (subscription === null) throw new Error('A subscription is gone.')
    return subscription
  }
}
