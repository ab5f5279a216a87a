import { calendarMonth } from '../../std/calendar.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { Grant } from './account.ts'
import { isDue, rebased } from './account.ts'
import type { AccountCommand } from './change.ts'
import { endLast, endRolled, expireGrant, resetCycle } from './cycle-end.ts'
import { carriers, termsIn } from './project.ts'
import type { AccountView } from './view.ts'

/** Something of the account itself that ends: a grant, or the calendar month that it is in. */
export type OwnEnd =
  | { readonly kind: 'expiry'; readonly at: Instant; readonly grantId: string }
  | { readonly kind: 'own_cycle_end'; readonly at: Instant }

/** What such an end makes of the account; null: it has already been applied. */
export function endOwn(end: OwnEnd, { stored }: AccountView, newId: NewId): AccountCommand | null {
  if (stored === null) return null
  if (end.kind === 'own_cycle_end') {
    // Only if the account is still in that month: a month ends once.
    return calendarMonth(stored.ownCycleAt).end === end.at ? endingMonth(end.at) : null
  }
  const of = stored.account.grants.find((each) => each.grantId === end.grantId)
  return of === undefined || !isDue(of, end.at) ? null : expiring(of, end.at, newId)
}

/**
 * A rolled grant of a live subscription may roll again; any other grant expires. [credits#rollover]
 */
const expiring =
  ({ grantId, sourceType, sourceId }: Grant, at: Instant, newId: NewId): AccountCommand =>
  ({ account }, view) => {
    const isLast =
      sourceType === 'subscription' &&
      !view.subscriptions.some((each) => each.subscriptionId === sourceId && each.ended === null)
    if (isLast) return endLast(account, grantId, at)
    const carrier = carriers(view).find((each) => each.subscriptionId === sourceId)
    const terms = carrier === undefined ? null : termsIn(carrier, view)
    if (sourceType !== 'rollover' || carrier === undefined || terms === null) {
      return expireGrant(account, grantId, at)
    }
    return endRolled(account, grantId, {
      subscriptionId: carrier.subscriptionId,
      at,
      // While a subscription is paused its billing date is not known: it will move when it resumes.
      nextEnd: carrier.status === 'paused' ? null : carrier.nextBillingDate,
      rollover: terms.rollover,
      newGrantId: () => newId('cgr'),
    })
  }

/**
 * Where a subscription governs the account only the calendar moves on, since it makes the resets.
 */
const endingMonth =
  (at: Instant): AccountCommand =>
  ({ account, governing, overage }) =>
    governing === null
      ? resetCycle(account, overage, at)
      : { account: rebased(account), entries: [] }
