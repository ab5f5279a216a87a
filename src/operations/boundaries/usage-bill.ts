import type { Scope } from '../../parts/store/scope.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { UsageBillAt } from '../../rules/commerce/subscriptions/usage-bill.ts'
import { isMetered, usageBill } from '../../rules/commerce/subscriptions/usage-bill.ts'
import { usageHistory } from '../../rules/commerce/subscriptions/usage-history.ts'
import type { SubscriptionNeeds } from '../subscriptions/change-subscription.ts'

/** Loads what the usage of a subscription is billed by. */
export async function usageToBill(
  { meters, subscriptions }: Pick<SubscriptionNeeds, 'meters' | 'subscriptions'>,
  scope: Scope,
  subscription: Subscription,
): Promise<UsageBillAt> {
  const { billedUsage } = subscription
  if (!isMetered(subscription)) return () => ({ lines: [], billed: billedUsage, metered: [] })
  const [measured, stretches] = await Promise.all([
    subscriptions.usageOf(scope, subscription),
    subscriptions.stretches(scope, subscription.subscriptionId),
  ])
  const life = { ...subscription, stretches }
  const all = usageHistory(life, measured, subscription.nextBillingDate)
  const named = all.flatMap((period) => period.meters.map(({ meterId }) => meterId))
  const found = await meters.many(scope, [...new Set(named)])
  const nameOf = (meterId: string) => found.get(meterId)?.name ?? null
  return (end) => usageBill(subscription, usageHistory(life, measured, end), { end, nameOf })
}
