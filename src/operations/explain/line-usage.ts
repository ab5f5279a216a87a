import { limits } from '../../limits.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { MeterPeriod, UsagePeriod } from '../../rules/commerce/subscriptions/usage-history.ts'
import { usageHistory } from '../../rules/commerce/subscriptions/usage-history.ts'
import type { LineUsage } from '../../rules/explain/money.ts'
import { compileFilter } from '../../rules/meter/filter.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import { formatDecimal } from '../../std/decimal.ts'
import { listEvents } from '../events/list-events.ts'
import type { MoneyNeeds } from './money-needs.ts'

/** How many events a line of usage names. */
const eventsShown = 20

/**
 * What lines of usage were counted from, by the meters that they are of: what their meter has
 * measured in the period that the payment ended, as it stands, and the newest events of it.
 * [payouts#explanations]
 */
export async function usageOfLines(
  needs: MoneyNeeds,
  scope: Scope,
  payment: Payment,
): Promise<ReadonlyMap<string, LineUsage>> {
  const { subscriptionId } = payment
  if (subscriptionId === null) return new Map()
  const ids = payment.lines.map(({ itemId }) => itemId)
  const meters = await needs.meters.many(scope, ids)
  const period = meters.size === 0 ? null : await periodOf(needs, scope, payment)
  const lines = new Map<string, LineUsage>()
  for (const measured of period?.meters ?? []) {
    const meter = meters.get(measured.meterId)
    if (period === null || meter === undefined) continue
    const of = { meter, measured, period, customerId: payment.customerId }
    lines.set(meter.meterId, await lineUsage(needs, scope, of))
  }
  return lines
}

/** The newest period of its subscription that was over when the payment was made. */
async function periodOf(
  { subscriptions }: MoneyNeeds,
  scope: Scope,
  { createdAt, subscriptionId }: Payment,
): Promise<UsagePeriod | null> {
  const subscription = await subscriptions.find(scope, subscriptionId ?? '')
  if (subscription === null) return null
  const [measured, stretches] = await Promise.all([
    subscriptions.usageOf(scope, subscription),
    subscriptions.stretches(scope, subscription.subscriptionId),
  ])
  const periods = usageHistory({ ...subscription, stretches }, measured, createdAt)
  return periods.find(({ end }) => end <= createdAt) ?? null
}

interface Counted {
  readonly meter: Meter
  readonly measured: MeterPeriod
  readonly period: UsagePeriod
  readonly customerId: string
}

async function lineUsage(
  needs: MoneyNeeds,
  scope: Scope,
  { customerId, measured, meter, period }: Counted,
): Promise<LineUsage> {
  const { eventName, filter, meterId } = meter
  const { end: to, start: from } = period
  const { events } = await listEvents(needs, {
    owner: scope,
    customerId,
    eventName,
    start: from,
    end: to,
    matches: filter === null ? null : compileFilter(filter),
    offset: 0,
    limit: eventsShown,
  })
  return {
    meterId,
    eventName,
    from,
    to,
    consumed: formatDecimal(measured.consumed, limits.usageScale),
    free: formatDecimal(measured.freeThreshold, limits.usageScale),
    pricePerUnit: measured.pricePerUnit,
    events: events.map(({ eventId, timestamp }) => ({ eventId, timestamp })),
  }
}
