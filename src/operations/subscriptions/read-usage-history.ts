import { Fault, notFound, orNotFound } from '../../faults.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Page, Scope } from '../../parts/store/scope.ts'
import type { Subscriptions } from '../../parts/store/subscriptions.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { UsagePeriod } from '../../rules/commerce/subscriptions/usage-history.ts'
import { usageHistory } from '../../rules/commerce/subscriptions/usage-history.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'

export interface UsageHistoryNeeds {
  readonly subscriptions: Subscriptions
  readonly meters: Meters
}

export interface UsageHistoryQuery extends Page {
  readonly subscriptionId: string
  readonly meterId: string | null
  readonly from: Instant | null
  readonly to: Instant | null
  readonly at: Instant
}

export interface UsageHistory {
  readonly subscription: Subscription
  readonly periods: readonly UsagePeriod[]
  readonly meters: ReadonlyMap<string, Meter>
}

/**
 * A page of the billing periods that overlap [from, to], newest first. Reads usage where measuring
 * writes it, so it is up to date to the last measured event. 404 for an unknown subscription or
 * meter; 422 where a price is more than a JSON number carries. [resources#prices, requests#numbers]
 */
export async function readUsageHistory(
  { subscriptions, meters }: UsageHistoryNeeds,
  scope: Scope,
  query: UsageHistoryQuery,
): Promise<UsageHistory> {
  const { subscriptionId, meterId, limit, offset, at } = query
  const subscription = orNotFound(
    await subscriptions.find(scope, subscriptionId),
    'subscription',
    subscriptionId,
  )
  if (meterId !== null && (await meters.get(scope, meterId)) === null) {
    throw notFound('meter', meterId)
  }
  const [measured, stretches] = await Promise.all([
    subscriptions.usageOf(scope, subscription),
    subscriptions.stretches(scope, subscriptionId),
  ])
  const periods = usageHistory({ ...subscription, stretches }, measured, at)
    .filter((period) => overlaps(period, query))
    .slice(offset, offset + limit)
    .map((period) => ({
      ...period,
      meters: period.meters.filter((meter) => meterId === null || meter.meterId === meterId),
    }))
  refuseInexact(periods)
  const named = periods.flatMap((period) => period.meters.map((meter) => meter.meterId))
  return { subscription, periods, meters: await meters.many(scope, [...new Set(named)]) }
}

/** An inexact sum must not look exact; the usage itself can be read without prices. */
function refuseInexact(periods: readonly UsagePeriod[]): void {
  for (const { meters } of periods) {
    const beyond = meters.find(({ totalPrice }) => totalPrice === null)
    if (beyond === undefined) continue
    throw new Fault(
      'INTEGER_CONVERSION_FAILURE',
      `total_price of meter '${beyond.meterId}' is beyond ${Number.MAX_SAFE_INTEGER}, which a JSON number cannot carry: ask for another meter_id or period.`,
    )
  }
}

const overlaps = ({ start, end }: UsagePeriod, { from, to }: UsageHistoryQuery): boolean =>
  (from === null || end > from) && (to === null || start <= to)
