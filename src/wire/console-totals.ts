import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'

interface ShownSums<T> {
  readonly since: Instant | null
  readonly items: readonly T[]
}

interface ShownTotals {
  readonly money: ShownSums<{
    readonly currency: string
    readonly amount: number
    readonly payments: number
  }>
  readonly credits: ShownSums<{
    readonly entitlementId: string
    readonly name: string
    readonly unit: string
    readonly granted: string
    readonly used: string
  }>
}

/** `since` null: there was more than is summed up. */
export const totalsView = ({ money, credits }: ShownTotals) => ({
  money: { since: sinceOf(money), items: money.items },
  credits: {
    since: sinceOf(credits),
    items: credits.items.map(({ entitlementId, ...sums }) => ({
      credit_entitlement_id: entitlementId,
      ...sums,
    })),
  },
})

const sinceOf = ({ since }: ShownSums<unknown>): string | null =>
  since === null ? null : formatInstant(since)
