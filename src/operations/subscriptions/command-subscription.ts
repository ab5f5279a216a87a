import { orNotFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { commandTimeOf } from '../../rules/accounts/command-time.ts'
import { endOf } from '../../rules/commerce/billing-dates.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../std/instant.ts'
import { laterOf } from '../../std/instant.ts'
import type { Due } from '../accounts/change-accounts.ts'
import type { lost, Operation } from '../accounts/until-written.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { dueFirst } from '../boundaries/due-first.ts'
import type { PreparedChange, SubscriptionNeeds } from './change-subscription.ts'
import { tryChangeSubscription } from './change-subscription.ts'

export interface SubscriptionCommand {
  readonly operation: Operation
  readonly subscriptionId: string
  /** Called in every try, with the subscription as it is then. Throws a Fault to refuse. */
  readonly prepare: (before: Subscription) => Promise<PreparedChange>
}

/**
 * Runs a command on a subscription and its customer's accounts. What is due before it is applied
 * first, also the end of the subscription's own cycle or life, and the command happens at the time
 * of its decision. 404 for an unknown subscription. [subscriptions#the-time-of-a-command]
 */
export function commandSubscription(
  desk: DueFirstNeeds,
  scope: Scope,
  command: SubscriptionCommand,
): Promise<undefined> {
  return dueFirst(desk, command.operation, () => tryCommand(desk, scope, command))
}

/** One try of a command. 404 for an unknown subscription. */
export async function tryCommand(
  desk: SubscriptionNeeds,
  scope: Scope,
  { operation, subscriptionId, prepare }: SubscriptionCommand,
): Promise<undefined | typeof lost | Due> {
  const found = await desk.subscriptions.find(scope, subscriptionId)
  const before = orNotFound(found, 'subscription', subscriptionId)
  const prepared = await prepare(before)
  return tryChangeSubscription(desk, scope, {
    operation,
    before,
    prepared,
    at: (views, now) => {
      const at = commandTimeOf(views, laterOf(now, before.updatedAt))
      return at === null || isDue(before, at) ? null : at
    },
  })
}

/** Its end of cycle, or another attempt to be paid. [subscriptions#renewals] */
function isDue(subscription: Subscription, at: Instant): boolean {
  const { status, dues } = subscription
  if (status === 'on_hold' && dues?.retryAt != null && dues.retryAt <= at) return true
  return (status === 'active' || status === 'on_hold') && endOf(subscription) <= at
}
