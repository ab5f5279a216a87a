import type { Boundary } from '../../parts/store/boundaries.ts'
import { isDue, rebased } from '../../rules/accounts/account.ts'
import type { AccountCommand } from '../../rules/accounts/change.ts'
import { endLast, endRolled, expireGrant, resetCycle } from '../../rules/accounts/cycle-end.ts'
import { carriers, termsIn } from '../../rules/accounts/project.ts'
import type { AccountView } from '../../rules/accounts/view.ts'
import { calendarMonth } from '../../std/calendar.ts'
import type { AccountDesk } from '../accounts/change-accounts.ts'
import { changeAccounts, saveAll } from '../accounts/change-accounts.ts'
import type { CycleNeeds } from './end-cycle.ts'
import { endSubscriptionCycle } from './end-cycle.ts'

/** Applies one due boundary; does nothing when somebody else has done it. [machines#boundaries] */
export async function applyBoundary(needs: CycleNeeds, boundary: Boundary): Promise<void> {
  switch (boundary.kind) {
    case 'cycle_end':
    case 'subscription_end':
      await endSubscriptionCycle(needs, boundary.scope, boundary.subscriptionId, boundary.at)
      return
    case 'expiry':
      await changeOne(needs, boundary, expiring(needs, boundary))
      return
    case 'own_cycle_end':
      await changeOne(needs, boundary, endingOwnCycle(boundary))
  }
}

type AccountBoundary = Extract<Boundary, { readonly key: unknown }>

function changeOne(
  desk: AccountDesk,
  boundary: AccountBoundary,
  command: AccountCommand,
): Promise<null> {
  const { key, at, kind } = boundary
  const month = kind === 'own_cycle_end'
  return changeAccounts<null>(desk, {
    operation: kind,
    customer: key,
    entitlementIds: [key.entitlementId],
    at: () => at,
    decide: (views) => ({
      commands: views.map((view) => (isDone(boundary, view) ? null : command)),
      // The new month begins where the boundary stands, whatever the account was doing.
      write: (changes) =>
        saveAll(desk)(
          month
            ? changes.map((change) => ({ ...change, ownCycleAt: at, announce: true }))
            : changes,
        ),
      answer: () => null,
    }),
  })
}

/** Whether somebody else has ended it meanwhile: a month ends once, and a grant. */
function isDone(boundary: AccountBoundary, { stored }: AccountView): boolean {
  if (stored === null) return true
  const { at, kind } = boundary
  if (kind === 'own_cycle_end') return calendarMonth(stored.ownCycleAt).end !== at
  const of = stored.account.grants.find((each) => each.grantId === boundary.grantId)
  return of === undefined || !isDue(of, at)
}

/**
 * A rolled grant of a live subscription may roll again; any other grant is gone. [credits#rollover]
 */
function expiring(
  { newId }: CycleNeeds,
  { at, grantId }: AccountBoundary & { readonly grantId: string },
): AccountCommand {
  return ({ account }, view) => {
    const of = account.grants.find((each) => each.grantId === grantId)
    if (of === undefined) return null
    const isLast =
      of.sourceType === 'subscription' &&
      !view.subscriptions.some((each) => each.subscriptionId === of.sourceId && each.ended === null)
    if (isLast) return endLast(account, grantId, at)
    const carrier = carriers(view).find((each) => each.subscriptionId === of.sourceId)
    const terms = carrier === undefined ? null : termsIn(carrier, view)
    if (of.sourceType !== 'rollover' || carrier === undefined || terms === null) {
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
}

/** Governed by a subscription, only the calendar moves on: the resets are the subscription's. */
function endingOwnCycle({ at }: AccountBoundary): AccountCommand {
  return ({ account, governing, overage }) =>
    governing === null
      ? resetCycle(account, overage, at)
      : { account: rebased(account), entries: [] }
}
