import { calendarMonth } from '../../std/calendar.ts'
import type { Instant } from '../../std/instant.ts'
import { earlierOf, laterOf } from '../../std/instant.ts'
import { endOf } from '../commerce/billing-dates.ts'
import type { AccountView } from './view.ts'

/**
 * When a command happens: at the business's time of the decision, but never before what was
 * committed on any of its accounts. So neither a request that waited, nor the clock of another
 * process, makes a ledger run backwards. [subscriptions#the-time-of-a-command]
 */
export const timeOf = (views: readonly AccountView[], now: Instant): Instant =>
  views.reduce((latest, { stored }) => laterOf(latest, stored?.updatedAt ?? latest), now)

/** The same, but null while a boundary is due that was not applied yet. */
export function commandTimeOf(views: readonly AccountView[], now: Instant): Instant | null {
  const at = timeOf(views, now)
  const isDue = views.some((view) => {
    const first = firstBoundary(view)
    return first !== null && first <= at
  })
  return isDue ? null : at
}

/**
 * When usage is settled. Time stands still at a boundary that is due but not applied yet, so that
 * the boundary keeps its own time, however often the account is settled while it waits.
 * [subscriptions#the-time-of-a-command, guarantees#determinism]
 */
export const settlingTimeOf = (views: readonly AccountView[], now: Instant): Instant =>
  timeOf(
    views,
    views.reduce((first, view) => earlierOf(first, firstBoundary(view) ?? first), now),
  )

/**
 * The first moment at which a cycle of the customer, a calendar month of the account, or one of its
 * grants ends. The loaded account is enough to tell.
 */
export function firstBoundary(view: AccountView): Instant | null {
  const { stored, entitlement, subscriptions } = view
  const ends = subscriptions.filter(hasCycles).map(endOf)
  const expiries = (stored?.account.grants ?? []).flatMap(({ expiresAt }) => expiresAt ?? [])
  const counted = stored !== null && (entitlement?.stretches.length ?? 0) > 0
  const months = counted ? [calendarMonth(stored.ownCycleAt).end] : []
  const all = [...ends, ...expiries, ...months]
  return all.length === 0 ? null : all.reduce(earlierOf)
}

/** A subscription's cycles go on while a renewal is to be paid. [subscriptions#renewals] */
const hasCycles = ({ status }: { readonly status: string }): boolean =>
  status === 'active' || status === 'on_hold'
