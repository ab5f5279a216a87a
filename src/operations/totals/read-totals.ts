import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Ledger, MovedCredits } from '../../parts/store/ledger.ts'
import type { Payments, TakenMoney } from '../../parts/store/payments.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after, day, hour } from '../../std/instant.ts'

export interface ReadTotalsNeeds {
  readonly payments: Pick<Payments, 'taken'>
  readonly ledger: Pick<Ledger, 'moved'>
  readonly creditEntitlements: Pick<CreditEntitlements, 'many'>
}

/** Sums, and since when; null: even the last hour is more than is summed up. */
export interface SummedUp<T> {
  readonly since: Instant | null
  readonly items: readonly T[]
}

/** Credits by entitlement, with its name and unit. */
export type NamedCredits = MovedCredits & { readonly name: string; readonly unit: string }

/** So many rows are summed up at most, by each of five spans that may turn out to be too long. */
const most = 20_000
const spans: readonly Duration[] = [30 * day, 7 * day, day, 6 * hour, hour]

/** Money taken, credits granted and used: in the last 30 days, or less where much has happened. */
export async function readTotals(
  needs: ReadTotalsNeeds,
  scope: Scope,
  at: Instant,
): Promise<{ readonly money: SummedUp<TakenMoney>; readonly credits: SummedUp<NamedCredits> }> {
  const money = await longest(at, (since) => needs.payments.taken(scope, since, most))
  const moved = await longest(at, (since) => needs.ledger.moved(scope, since, most))
  const ids = moved.items.map(({ entitlementId }) => entitlementId)
  const named = await needs.creditEntitlements.many(scope, ids)
  const items = moved.items.flatMap((one) => {
    const of = named.get(one.entitlementId)
    return of === undefined ? [] : [{ ...one, name: of.name, unit: of.unit }]
  })
  return { money, credits: { ...moved, items } }
}

async function longest<T>(
  at: Instant,
  sums: (since: Instant) => Promise<readonly T[] | null>,
): Promise<SummedUp<T>> {
  for (const span of spans) {
    const since = after(at, -span)
    const items = await sums(since)
    if (items !== null) return { since, items }
  }
  return { since: null, items: [] }
}
