import { limits } from '../../limits.ts'
import { formatDecimal, powerOfTen } from '../../std/decimal.ts'
import type { Instant } from '../../std/instant.ts'
import { earlierOf, instantOf } from '../../std/instant.ts'
import type { CartItem } from '../accounts/attached-credits.ts'
import type { Customer } from '../commerce/catalog/customer.ts'
import type {
  Happened,
  SubscribedPlan,
  Subscription,
  SubscriptionStatus,
} from '../commerce/subscriptions/subscription.ts'
import type { Meter } from '../meter/meter.ts'
import { segmentAt } from '../meter/route.ts'

/** A subscription as it was when the fact happened. [webhooks#kinds] */
export interface SubscriptionTold {
  readonly customerId: string
  readonly customer: Customer
  readonly subscription: ToldSubscription
  readonly carts: readonly ToldCart[]
  readonly meters: readonly ToldMeter[]
}

/** What is told of it: everything but how usage is measured, which JSON cannot carry. */
export type ToldSubscription = Omit<
  Subscription,
  'changing' | 'charging' | 'customFields' | 'pauses' | 'scheduled' | 'stretches' | 'trialAmount'
> & {
  /** Absent: told before they were kept. */
  readonly customFields?: Subscription['customFields']
  readonly trialAmount?: Subscription['trialAmount']
  readonly scheduled: ToldChange | null
}

type ToldChange = Omit<
  NonNullable<Subscription['scheduled']>,
  'discounts' | 'metadata' | 'plan'
> & {
  readonly plan: Pick<SubscribedPlan, 'addons' | 'productId' | 'quantity'>
}

/** An entitlement of its cart, with the customer's balance under it as decimal text. */
export interface ToldCart {
  readonly item: CartItem
  readonly name: string
  readonly unit: string
  readonly balance: string
  readonly overage: string
}

/** A meter that its open cycle is charged by. */
export interface ToldMeter {
  readonly meterId: string
  readonly name: string
  readonly description: string | null
  readonly measurementUnit: string
  /** Null: it costs money, not credits. */
  readonly entitlementId: string | null
  /** Decimal text. */
  readonly unitsPerCredit: string
  /** In whole units. */
  readonly freeThreshold: number
  readonly pricePerUnit: string | null
}

export type SubscriptionFactType =
  | 'subscription.active'
  | 'subscription.renewed'
  | 'subscription.on_hold'
  | 'subscription.paused'
  | 'subscription.unpaused'
  | 'subscription.cancelled'
  | 'subscription.failed'
  | 'subscription.expired'
  | 'subscription.plan_changed'
  | 'subscription.updated'
  | 'subscription.update_payment_method'

export interface SubscriptionFact {
  readonly type: SubscriptionFactType
  readonly data: SubscriptionTold
}

/** The subscription with the meters of its open cycle, also while its end waits to be applied. */
export function toldSubscription(
  { stretches, pauses: _, scheduled, ...told }: Subscription,
  meters: ReadonlyMap<string, Meter>,
  at: Instant,
): Pick<SubscriptionTold, 'meters' | 'subscription'> {
  const { changing: _changing, charging: _charging, ...subscription } = told
  const open = instantOf(subscription.nextBillingDate - 1)
  const links = segmentAt(stretches, earlierOf(at, open))?.links ?? []
  return {
    subscription: { ...subscription, scheduled: scheduled === null ? null : toldChange(scheduled) },
    meters: links.map((link) => {
      const meter = meters.get(link.meterId)
      return {
        meterId: link.meterId,
        name: meter?.name ?? '',
        description: meter?.description ?? null,
        measurementUnit: meter?.measurementUnit ?? '',
        entitlementId: link.entitlementId,
        unitsPerCredit: formatDecimal(link.unitsPerCredit ?? 0n, limits.usageScale),
        freeThreshold: Number(link.freeThreshold / powerOfTen(limits.usageScale)),
        pricePerUnit: link.pricePerUnit,
      }
    }),
  }
}

const toldChange = ({
  plan,
  discounts: _,
  metadata: _metadata,
  ...scheduled
}: NonNullable<Subscription['scheduled']>): ToldChange => ({
  ...scheduled,
  plan: { addons: plan.addons, productId: plan.productId, quantity: plan.quantity },
})

/**
 * What is told of a change of a subscription: its state, what else has happened to it, and then
 * that a field has changed. Of a change that changes nothing, nothing is told. [webhooks#kinds]
 */
export function subscriptionFacts(
  before: Subscription | null,
  after: Subscription,
  happened: readonly Happened[],
): readonly SubscriptionFactType[] {
  const told = happened.map((each) => `subscription.${each}` as const)
  if (before === null) return [...turned('pending', after.status), ...told]
  const isTurned = before.status !== after.status
  return [
    ...(isTurned ? turned(before.status, after.status) : []),
    ...told,
    ...(isTurned || told.length > 0 || shown(before) !== shown(after)
      ? (['subscription.updated'] as const)
      : []),
  ]
}

/** What may change without anybody having been asked to change it is left out. */
function shown({
  stretches: _stretches,
  pauses: _pauses,
  scheduled,
  ...subscription
}: Subscription) {
  const { charging: _charging, dues: _dues, updatedAt: _at, version: _, ...fields } = subscription
  return JSON.stringify({ ...fields, scheduled: scheduled === null ? null : scheduled.id })
}

function turned(from: SubscriptionStatus, to: SubscriptionStatus): readonly SubscriptionFactType[] {
  if (to === 'pending') return []
  if (to !== 'active') return [`subscription.${to}`]
  return [from === 'paused' ? 'subscription.unpaused' : 'subscription.active']
}
