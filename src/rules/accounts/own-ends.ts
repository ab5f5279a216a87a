import { calendarMonth } from '../../std/calendar.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { Grant } from './account.ts'
import { isDue, rebased } from './account.ts'
import type { AccountCommand } from './change.ts'
import { endLast, endRolled, expireGrant, resetCycle } from './cycle-end.ts'
import { carriers, termsIn } from './project.ts'
import type { AccountView } from './view.ts'

/** What ends in an account by itself: a grant, or the calendar month that it is in. */
export type OwnEnd =
  | { readonly kind: 'expiry'; readonly at: Instant; readonly grantId: string }
  | { readonly kind: 'own_cycle_end'; readonly at: Instant }

/** What such an end makes of the account; null: somebody else has applied it. */
export function endOwn(end: OwnEnd, { stored }: AccountView, newId: NewId): AccountCommand | null {
  if (stored === null) return null
  if (end.kind === 'own_cycle_end') {
    // A month ends once.
    return calendarMonth(stored.ownCycleAt).end === end.at ? endingMonth(end.at) : null
  }
  const of = stored.account.grants.find((each) => each.grantId === end.grantId)
  return of === undefined || !isDue(of, end.at) ? null : expiring(of, end.at, newId)
}

/**
 * A rolled grant of a live subscription may roll again; any other grant is gone. [credits#rollover]
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
      // The date of a paused one stands, and may have passed: it is known when it goes on.
      nextEnd: carrier.status === 'paused' ? null : carrier.nextBillingDate,
      rollover: terms.rollover,
      newGrantId: () => newId('cgr'),
    })
  }

/** Governed by a subscription, only the calendar moves on: the resets are the subscription's. */
const endingMonth =
  (at: Instant): AccountCommand =>
  ({ account, governing, overage }) =>
    governing === null
      ? resetCycle(account, overage, at)
      : { account: rebased(account), entries: [] }
