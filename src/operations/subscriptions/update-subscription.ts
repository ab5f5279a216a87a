import { Fault, refuse } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { AccountCommand } from '../../rules/accounts/change.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import { patchedCart } from '../../rules/commerce/subscriptions/cart-patch.ts'
import type { Now } from '../../rules/commerce/subscriptions/lifecycle.ts'
import {
  billedAt,
  cancelled,
  paused,
  resumed,
} from '../../rules/commerce/subscriptions/lifecycle.ts'
import {
  cutCommands,
  moveCommands,
} from '../../rules/commerce/subscriptions/open-cycle-commands.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { addIntervals } from '../../std/calendar.ts'
import type { Instant } from '../../std/instant.ts'
import { formatInstant, after as later } from '../../std/instant.ts'
import type { SubscriptionUpdate } from '../../wire/subscription-update.ts'
import { cartPatchOf } from '../../wire/subscription-update.ts'
import type { CommandDesk } from '../boundaries/due-first.ts'
import { commandSubscription } from './command-subscription.ts'

export interface UpdateNeeds extends CommandDesk {
  readonly creditEntitlements: CreditEntitlements
}

export interface UpdateRequest {
  readonly subscriptionId: string
  readonly body: SubscriptionUpdate
  /** `next_billing_date` of the body. */
  readonly nextBillingDate: Instant | null
}

/**
 * Changes a subscription. Refuses: 404 unknown; 409 a status that it cannot go to; 422 a date of
 * one that is not active, a cancellation, a cart or a period of one that is over, a cart that does
 * not fit, a shorter period. [resources#subscriptions]
 */
export async function updateSubscription(
  needs: UpdateNeeds,
  scope: Scope,
  request: UpdateRequest,
): Promise<void> {
  const { subscriptionId, body } = request
  await commandSubscription(needs, scope, {
    operation: 'update_subscription',
    subscriptionId,
    prepare: async (before) => {
      refuse(metadataRejection(body.metadata ?? {}))
      const precisions = await precisionsOf(needs, scope, before)
      const carried = [...before.cart, ...before.leaving].map((item) => item.creditEntitlementId)
      return {
        entitlementIds: mayConcernCredits(request) ? [...new Set(carried)] : [],
        decide: (at) => {
          const known = { at, log: needs.clock.now(), precisions }
          const after = updated(before, request, known)
          const commands = commandsOf(before, after)
          return { after, commands }
        },
      }
    },
  })
}

/** Details alone touch no account. */
const mayConcernCredits = ({ body, nextBillingDate }: UpdateRequest): boolean =>
  nextBillingDate !== null || body.status != null || body.credit_entitlement_cart != null

async function precisionsOf(
  { creditEntitlements }: UpdateNeeds,
  scope: Scope,
  { cart }: Subscription,
): Promise<ReadonlyMap<string, number>> {
  const ids = cart.map((item) => item.creditEntitlementId)
  const found = await creditEntitlements.many(scope, ids)
  return new Map([...found].map(([id, { precision }]) => [id, precision]))
}

interface Known extends Now {
  readonly precisions: ReadonlyMap<string, number>
}

/** Each field in turn, an end last. However many there are, it is one new version. */
function updated(before: Subscription, request: UpdateRequest, known: Known): Subscription {
  const { body, nextBillingDate } = request
  const { at, log } = known
  const steps: readonly ((subscription: Subscription) => Subscription)[] = [
    (subscription) => withDetails(subscription, body),
    (subscription) => withCancellation(subscription, body),
    (subscription) => withPeriod(subscription, body),
    (subscription) => withCart(subscription, body, known),
    (subscription) =>
      nextBillingDate === null ? subscription : withDate(subscription, nextBillingDate, at),
    (subscription) => withStatus(subscription, body.status ?? null, { at, log }),
  ]
  const after = steps.reduce((sofar, step) => step(sofar), before)
  return { ...after, version: before.version + 1, updatedAt: at }
}

/** Null clears what may be empty and keeps what may not. [requests#nulls] */
function withDetails(subscription: Subscription, body: SubscriptionUpdate): Subscription {
  const { billing } = body
  if (body.disable_on_demand != null) {
    throw new Fault('SUBSCRIPTION_NOT_ON_DEMAND', 'This subscription is not on demand.')
  }
  return {
    ...subscription,
    billing:
      billing == null
        ? subscription.billing
        : {
            country: billing.country,
            city: billing.city ?? null,
            state: billing.state ?? null,
            street: billing.street ?? null,
            zipcode: billing.zipcode ?? null,
          },
    metadata: body.metadata === undefined ? subscription.metadata : (body.metadata ?? {}),
    customerName: or(body.customer_name, subscription.customerName),
    customerBusinessName: or(body.customer_business_name, subscription.customerBusinessName),
    taxId: or(body.tax_id, subscription.taxId),
  }
}

const or = <T>(sent: T | undefined, was: T): T => (sent === undefined ? was : sent)

function withCancellation(subscription: Subscription, body: SubscriptionUpdate): Subscription {
  const { cancellation } = subscription
  const scheduled = body.cancel_at_next_billing_date ?? cancellation.scheduled
  if (body.cancel_at_next_billing_date != null) refuseOver(subscription)
  const why = [body.cancellation_comment, body.cancellation_feedback, body.cancel_reason]
  if (why.some((each) => each != null) && !scheduled && body.status !== 'cancelled') {
    throw new Fault(
      'INVALID_REQUEST_BODY',
      'cancellation_comment, cancellation_feedback and cancel_reason need a cancellation: send status "cancelled" or cancel_at_next_billing_date true with them.',
    )
  }
  const undone = body.cancel_at_next_billing_date === false
  return {
    ...subscription,
    cancellation: {
      scheduled,
      comment: undone ? null : or(body.cancellation_comment, cancellation.comment),
      feedback: undone ? null : or(body.cancellation_feedback, cancellation.feedback),
      reason: undone ? null : or(body.cancel_reason, cancellation.reason),
    },
  }
}

/** It may only get longer. [resources#subscriptions] */
function withPeriod(subscription: Subscription, body: SubscriptionUpdate): Subscription {
  const { period: old, createdAt, expiresAt } = subscription
  const { subscription_period_count: count, subscription_period_interval: interval } = body
  if (count == null && interval == null) return subscription
  refuseOver(subscription)
  const period = {
    count: count ?? old.count,
    interval: interval ?? old.interval,
  }
  const longer = addIntervals(createdAt, period, 1) - addIntervals(createdAt, old, 1)
  if (longer < 0) {
    throw new Fault(
      'INVALID_REQUEST_BODY',
      'subscription_period_count and subscription_period_interval can only lengthen the period.',
    )
  }
  return {
    ...subscription,
    period,
    expiresAt: expiresAt === null ? null : later(expiresAt, longer),
  }
}

function withCart(
  subscription: Subscription,
  body: SubscriptionUpdate,
  { precisions }: Known,
): Subscription {
  const patches = (body.credit_entitlement_cart ?? []).map(cartPatchOf)
  if (patches.length > 0) refuseOver(subscription)
  const cart = patchedCart(subscription.cart, patches, {
    quantity: subscription.quantity,
    precisionOf: (id) => precisions.get(id) ?? 0,
  })
  if ('code' in cart) throw new Fault(cart.code, cart.problem)
  return { ...subscription, cart }
}

function withDate(subscription: Subscription, end: Instant, at: Instant): Subscription {
  if (subscription.status !== 'active') {
    throw new Fault(
      'SUBSCRIPTION_INACTIVE',
      `next_billing_date can be changed while a subscription is active; this one is ${subscription.status}.`,
    )
  }
  if (end <= at) throw pastDate()
  const { expiresAt } = subscription
  if (expiresAt !== null && end > expiresAt) {
    throw new Fault(
      'INVALID_REQUEST_BODY',
      `next_billing_date must not be later than ${formatInstant(expiresAt)}, when the subscription expires: lengthen subscription_period_count with it.`,
    )
  }
  return billedAt(subscription, end, at)
}

/** Judged where it is decided, too: it may have waited. */
export const pastDate = (): Fault =>
  new Fault(
    'INVALID_REQUEST_BODY',
    'next_billing_date must be an RFC 3339 date-time in the future.',
  )

/**
 * A status that it has already changes nothing: whoever asks again after a lost answer is right.
 */
function withStatus(
  subscription: Subscription,
  status: (SubscriptionUpdate['status'] & string) | null,
  now: Now,
): Subscription {
  const { status: from } = subscription
  if (status === null || status === from) return subscription
  if (status === 'cancelled' && (from === 'active' || from === 'on_hold' || from === 'paused')) {
    return cancelled(subscription, now)
  }
  if (status === 'paused' && from === 'active') return paused(subscription, now)
  if (status === 'active' && from === 'paused') return resumed(subscription, now)
  throw new Fault('CONFLICT', `A subscription that is ${from} cannot become ${status}.`)
}

/** What nothing would follow from any more. */
function refuseOver({ status }: Subscription): void {
  if (status !== 'cancelled' && status !== 'expired' && status !== 'failed') return
  throw new Fault('SUBSCRIPTION_INACTIVE', `This subscription is ${status} already.`)
}

/**
 * Accounts settle on the terms that held until now. What concerns no credits touches no account.
 */
function commandsOf(
  before: Subscription,
  after: Subscription,
): ReadonlyMap<string, AccountCommand> {
  const same =
    before.status === after.status &&
    before.nextBillingDate === after.nextBillingDate &&
    JSON.stringify(settingsOf(before)) === JSON.stringify(settingsOf(after))
  if (same) return new Map()
  return after.ended !== before.ended
    ? cutCommands(before, after, 'cancellation')
    : moveCommands(before, after)
}

/** What a cart overrides is no setting that holds. [requests#nulls] */
const settingsOf = ({ cart }: Subscription) =>
  cart.map(({ overridden: _, ...settings }) => settings)
