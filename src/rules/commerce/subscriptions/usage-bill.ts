import type { Instant } from '../../../std/instant.ts'
import type { AddedUsage } from './bill-words.ts'
import { billWords, usageWorth } from './bill-words.ts'
import type { BilledLine, BilledUsage } from './dues.ts'
import type { Subscription } from './subscription.ts'
import type { MeterPeriod, UsagePeriod } from './usage-history.ts'

export interface UsageBill {
  readonly lines: readonly BilledLine[]
  readonly billed: BilledUsage | null
  /** What the meters have counted in the last of these periods. */
  readonly metered: readonly MeterPeriod[]
}

/** What was used until a moment, and not billed yet. [subscriptions#renewals] */
export type UsageBillAt = (end: Instant) => UsageBill

/** Whether usage of it can cost money. */
export const isMetered = ({ stretches }: Pick<Subscription, 'stretches'>): boolean =>
  stretches.some(({ links }) => links.some(({ entitlementId }) => entitlementId === null))

/**
 * What the usage of all periods that begin before `end` costs and was not billed yet: a line for
 * each meter. What was measured late of a period that was billed stands on the next bill.
 * [subscriptions#renewals]
 */
export function usageBill(
  { billedUsage, currency }: Pick<Subscription, 'billedUsage' | 'currency'>,
  periods: readonly UsagePeriod[],
  of: { readonly end: Instant; readonly nameOf: (meterId: string) => string | null },
): UsageBill {
  const open = periods
    .filter(({ start }) => start < of.end && (billedUsage === null || start >= billedUsage.start))
    .toSorted((a, b) => a.start - b.start)
  const added = new Map<string, readonly AddedUsage[]>()
  for (const { start, meters } of open) {
    for (const { meterId, ...period } of meters) {
      const { totalPrice } = period
      const before = billedUsage?.start === start ? (billedUsage.amounts[meterId] ?? 0) : 0
      const amount = Math.max(0, (totalPrice ?? Number.MAX_SAFE_INTEGER) - before)
      if (amount > 0) added.set(meterId, [...(added.get(meterId) ?? []), { period, amount }])
    }
  }
  const last = open.at(-1)
  return {
    lines: [...added].map(([meterId, parts]) => {
      const worth = usageWorth(currency, parts)
      return {
        itemId: meterId,
        name: of.nameOf(meterId),
        description: billWords(currency, worth),
        amount: Math.min(
          parts.reduce((sum, { amount }) => sum + amount, 0),
          Number.MAX_SAFE_INTEGER,
        ),
        tax: 0,
        worth,
      }
    }),
    billed: last === undefined ? billedUsage : billedIn(last, billedUsage),
    metered: last?.meters ?? [],
  }
}

/** A period that was billed before keeps what it was billed for, should its usage have fallen. */
function billedIn({ start, meters }: UsagePeriod, before: BilledUsage | null): BilledUsage {
  const was = before?.start === start ? before.amounts : {}
  const amounts = meters.map(({ meterId, totalPrice }) => [
    meterId,
    Math.max(was[meterId] ?? 0, totalPrice ?? Number.MAX_SAFE_INTEGER),
  ])
  return { start, amounts: Object.fromEntries(amounts) }
}
