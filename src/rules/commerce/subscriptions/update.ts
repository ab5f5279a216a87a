import type { TimeInterval } from '../../../std/calendar.ts'
import { addIntervals } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import { after, formatInstant } from '../../../std/instant.ts'
import type { BillingAddress } from '../billing-address.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import { invalid } from '../catalog/rejection.ts'
import type { CartPatch } from './cart-patch.ts'
import { patchedCart } from './cart-patch.ts'
import type { AskedStatus, Now } from './lifecycle.ts'
import { billedAt, withStatus } from './lifecycle.ts'
import { cutCommands, moveCommands } from './open-cycle-commands.ts'
import type { Cancellation, Subscription } from './subscription.ts'
import type { SubscriptionChange } from './subscription-change.ts'
import type { SubscriptionRejection } from './subscription-rejection.ts'
import { isRejection } from './subscription-rejection.ts'

/**
 * What a caller asks to change of a subscription. Undefined: it stays. Null clears fields that may
 * be empty, and keeps the others. [requests#nulls]
 */
export interface SubscriptionPatch {
  readonly billing?: BillingAddress | null | undefined
  readonly cancelAtNextBillingDate?: boolean | null | undefined
  readonly cancelReason?: Cancellation['reason'] | undefined
  readonly cancellationComment?: Cancellation['comment'] | undefined
  readonly cancellationFeedback?: Cancellation['feedback'] | undefined
  readonly cart?: readonly CartPatch[] | null | undefined
  readonly customerBusinessName?: string | null | undefined
  readonly customerName?: string | null | undefined
  /** The next billing date of a subscription that is to be on demand no more. */
  readonly disablesOnDemand?: Instant | null | undefined
  readonly metadata?: CatalogMetadata | null | undefined
  readonly nextBillingDate?: Instant | null | undefined
  readonly periodCount?: number | null | undefined
  readonly periodInterval?: TimeInterval | null | undefined
  readonly status?: AskedStatus | null | undefined
  readonly taxId?: string | null | undefined
}

/** Whether the patch may act on credits; details alone touch no account. */
export const mayConcernCredits = (patch: SubscriptionPatch): boolean => {
  const { cart, disablesOnDemand, nextBillingDate, status } = patch
  return [cart, disablesOnDemand, nextBillingDate, status].some((each) => each != null)
}

/** The time of the change, and the precision of each entitlement in the cart. */
export interface UpdateTime extends Now {
  readonly precisions: ReadonlyMap<string, number>
}

/**
 * Applies each field in turn, an end last; all of them together make one new version. Refuses a
 * status that it cannot go to, a date where it is not active, a cancellation, a cart or a period
 * where it is over, a cart that does not fit, and a shorter period. [resources#subscriptions]
 */
export function updatedBy(
  patch: SubscriptionPatch,
  before: Subscription,
  time: UpdateTime,
): SubscriptionChange | SubscriptionRejection {
  let after = before
  for (const step of steps) {
    const next = step(after, patch, time)
    if (isRejection(next)) return next
    after = next
  }
  after = { ...after, version: before.version + 1, updatedAt: time.at }
  return { after, commands: commandsOf(before, after) }
}

type Step = (
  subscription: Subscription,
  patch: SubscriptionPatch,
  time: UpdateTime,
) => Subscription | SubscriptionRejection

const withDetails: Step = (subscription, patch) => {
  return {
    ...subscription,
    billing: patch.billing ?? subscription.billing,
    metadata: patch.metadata === undefined ? subscription.metadata : (patch.metadata ?? {}),
    customerName: or(patch.customerName, subscription.customerName),
    customerBusinessName: or(patch.customerBusinessName, subscription.customerBusinessName),
    taxId: or(patch.taxId, subscription.taxId),
  }
}

const or = <T>(sent: T | undefined, was: T): T => (sent === undefined ? was : sent)

const withCancellation: Step = (subscription, patch) => {
  const { cancellation } = subscription
  const { cancelAtNextBillingDate: asked } = patch
  const scheduled = asked ?? cancellation.scheduled
  const over = asked == null ? null : overRejection(subscription)
  if (over !== null) return over
  const why = [patch.cancellationComment, patch.cancellationFeedback, patch.cancelReason]
  if (why.some((each) => each != null) && !scheduled && patch.status !== 'cancelled') {
    return invalid(
      'cancellation_comment, cancellation_feedback and cancel_reason need a cancellation: send status "cancelled" or cancel_at_next_billing_date true with them.',
    )
  }
  const undone = asked === false && patch.status !== 'cancelled'
  return {
    ...subscription,
    cancellation: {
      scheduled,
      comment: undone ? null : or(patch.cancellationComment, cancellation.comment),
      feedback: undone ? null : or(patch.cancellationFeedback, cancellation.feedback),
      reason: undone ? null : or(patch.cancelReason, cancellation.reason),
    },
  }
}

/** The period may only get longer. [resources#subscriptions] */
const withPeriod: Step = (subscription, { periodCount, periodInterval }) => {
  if (periodCount == null && periodInterval == null) return subscription
  const over = overRejection(subscription)
  if (over !== null) return over
  const { period: old, createdAt, expiresAt } = subscription
  const period = { count: periodCount ?? old.count, interval: periodInterval ?? old.interval }
  const longer = addIntervals(createdAt, period, 1) - addIntervals(createdAt, old, 1)
  if (longer < 0) {
    return invalid(
      'subscription_period_count and subscription_period_interval can only lengthen the period.',
    )
  }
  return {
    ...subscription,
    period,
    expiresAt: expiresAt === null ? null : after(expiresAt, longer),
  }
}

const withCart: Step = (subscription, patch, { precisions }) => {
  const patches = patch.cart ?? []
  const refused =
    patches.length === 0 ? null : (overRejection(subscription) ?? pendingRejection(subscription))
  if (refused !== null) return refused
  const cart = patchedCart(subscription.cart, patches, {
    quantity: subscription.quantity,
    precisionOf: (id) => precisions.get(id) ?? 0,
  })
  return 'code' in cart ? cart : { ...subscription, cart }
}

/** From then on it charges itself, first at that date. [subscriptions#on-demand] */
const withoutDemand: Step = (subscription, { disablesOnDemand: end }, time) => {
  if (end == null) return subscription
  if (!subscription.onDemand) {
    const problem = 'This subscription is not on demand.'
    return { code: 'SUBSCRIPTION_NOT_ON_DEMAND', problem }
  }
  return withDate({ ...subscription, onDemand: false }, { nextBillingDate: end }, time)
}

const withDate: Step = (subscription, { nextBillingDate: end }, { at }) => {
  if (end == null) return subscription
  const { status, expiresAt } = subscription
  if (status !== 'active') {
    const problem = `next_billing_date can be changed while a subscription is active; this one is ${status}.`
    return { code: 'SUBSCRIPTION_INACTIVE', problem }
  }
  if (end <= at) return pastDate
  if (expiresAt !== null && end > expiresAt) {
    return invalid(
      `next_billing_date must not be later than ${formatInstant(expiresAt)}, when the subscription expires: lengthen subscription_period_count with it.`,
    )
  }
  return billedAt(subscription, end, at)
}

/** Checked at the time of the decision too, since the command may have waited. */
export const pastDate = invalid('next_billing_date must be an RFC 3339 date-time in the future.')

/** Refuses where the subscription is over, since nothing would follow from the change. */
const overRejection = ({ status }: Subscription): SubscriptionRejection | null =>
  status === 'cancelled' || status === 'expired' || status === 'failed'
    ? { code: 'SUBSCRIPTION_INACTIVE', problem: `This subscription is ${status} already.` }
    : null

/** Its first credits come as they were bought. [subscriptions#pending] */
const pendingRejection = ({ status }: Subscription): SubscriptionRejection | null => {
  const problem =
    'credit_entitlement_cart can be changed once the subscription has begun; this one is pending.'
  return status === 'pending' ? { code: 'SUBSCRIPTION_INACTIVE', problem } : null
}

/** An end comes last, because the other fields need a live subscription. */
const steps: readonly Step[] = [
  withDetails,
  withCancellation,
  withPeriod,
  withCart,
  withoutDemand,
  withDate,
  (subscription, { status }, now) =>
    status == null ? subscription : withStatus(subscription, status, now),
]

/**
 * Accounts settle on the terms that held until now. Changes that do not concern credits touch no
 * account.
 */
function commandsOf(before: Subscription, after: Subscription): SubscriptionChange['commands'] {
  const same =
    before.status === after.status &&
    before.nextBillingDate === after.nextBillingDate &&
    JSON.stringify(settingsOf(before)) === JSON.stringify(settingsOf(after))
  if (same) return new Map()
  return after.ended !== before.ended
    ? cutCommands(before, after, 'cancellation')
    : moveCommands(before, after)
}

/** Without the values that overrides hide, since those do not hold. [requests#nulls] */
const settingsOf = ({ cart }: Subscription) =>
  cart.map(({ overridden: _, ...settings }) => settings)
