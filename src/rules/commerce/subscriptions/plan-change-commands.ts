import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { rebased } from '../../accounts/account.ts'
import { termsOf } from '../../accounts/attached-credits.ts'
import type { AccountCommand } from '../../accounts/change.ts'
import type { GrantCommand } from '../../accounts/commands.ts'
import { grant } from '../../accounts/commands.ts'
import { formatCredits } from '../../accounts/credits.ts'
import { endCycle, resetCycle } from '../../accounts/cycle-end.ts'
import { moveCycle } from '../../accounts/cycle-move.ts'
import type { Projected } from '../../accounts/project.ts'
import type { Decided } from '../../accounts/settle.ts'
import type { ProrationMode } from '../proration-mode.ts'
import { grantOnChange } from './change-grant.ts'
import { cycleGrant, grantOfCycle, rolloverOf } from './cycle-grant.ts'
import type { WantedChange } from './decide-plan-change.ts'
import { decidePlanChange } from './decide-plan-change.ts'
import { isInTrial } from './lifecycle.ts'
import { moveOf } from './open-cycle-commands.ts'
import type { Rest } from './plan-change.ts'
import { restartsCycle } from './plan-change.ts'
import type { CycleItem } from './renewal.ts'
import { itemsOf } from './renewal.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionChange } from './subscription-change.ts'

interface ChangingPlan {
  readonly newId: NewId
  readonly before: Subscription
  /** The subscription after the change, which happens at its `updatedAt`. */
  readonly after: Subscription
  readonly mode: ProrationMode
  readonly rest: Rest
  readonly paymentId: string | null
}

/** The plan change at that moment, when everything that was due before it is applied. */
export function planChangeAt(
  wanted: WantedChange,
  { at, newId }: { readonly at: Instant; readonly newId: NewId },
): SubscriptionChange {
  const { mode, waits } = wanted.request
  const { before, after, charged, rest } = decidePlanChange(wanted, at)
  const paymentId = charged.due > 0 ? newId('pay') : null
  if (waits) return { after, commands: new Map() }
  return { after, commands: planCommands({ newId, before, after, mode, rest, paymentId }) }
}

/** What a plan change does with each entitlement of the old plan and of the new one. */
function planCommands(change: ChangingPlan): ReadonlyMap<string, AccountCommand> {
  const commandOf = restartsCycle(change.mode) ? restarting : keeping
  return new Map(
    itemsOf(change.before, change.after).map((item) => [
      item.entitlementId,
      commandOf(change, item),
    ]),
  )
}

/** Ends the old cycle and begins a whole new one. [subscriptions#plan-changes] */
const restarting =
  (change: ChangingPlan, item: CycleItem): AccountCommand =>
  (projected) => {
    const { before, after, newId } = change
    const { subscriptionId, previousBillingDate: cycleAt } = before
    const { updatedAt: at, nextBillingDate: nextEnd } = after
    const ending = { ...before, nextBillingDate: at }
    const { account } = moveCycle(projected.account, moveOf(before, ending, item.ending))
    return endCycle(account, {
      subscriptionId,
      cycleAt,
      at,
      nextEnd,
      isTrial: isInTrial(before),
      early: { by: 'plan_change', subscriptionId },
      rollover: rolloverOf(item.ending),
      overage: governs(before, projected) ? projected.overage : null,
      next: wholeGrant(change, item, projected),
      newGrantId: () => newId('cgr'),
    })
  }

/**
 * The grant of a cycle that begins: in a trial the new plan's trial credits, or none.
 * [subscriptions#trials]
 */
function wholeGrant(
  change: ChangingPlan,
  { next }: CycleItem,
  { precision }: Projected,
): GrantCommand | null {
  if (next === null) return null
  const inTrial = isInTrial(change.before)
  const terms = termsOf(next, precision)
  const amount = inTrial ? terms.trial.amount : terms.amount
  if (amount === null) return null
  const issuing = { ...issuingOf(change), inTrial }
  return grantOfCycle(change.newId, change.after, {
    terms: { ...terms, amount },
    precision,
    issuing,
  })
}

/**
 * Accounts keep their grants and get what the new plan issues. Overage of credits that the new plan
 * does not carry is closed, by the terms of the old one. [credits#grants,
 * subscriptions#plan-changes]
 */
const keeping =
  (change: ChangingPlan, { entitlementId, next }: CycleItem): AccountCommand =>
  (projected) => {
    const { before, after } = change
    const { subscriptionId } = before
    if (next !== null) return granted(change, entitlementId, projected)
    const { account, overage } = projected
    if (!governs(before, projected)) return { account: rebased(account), entries: [] }
    const early = { by: 'plan_change' as const, subscriptionId }
    return resetCycle(account, { behavior: overage.behavior, early }, after.updatedAt)
  }

function granted(change: ChangingPlan, entitlementId: string, projected: Projected): Decided {
  const { before, after, rest, newId } = change
  const { account, precision } = projected
  const item = after.cart.find((each) => each.creditEntitlementId === entitlementId)
  const issued =
    item === undefined ? null : grantOnChange({ before, after }, { item, precision, rest })
  if (item === undefined || issued === null) return { account: rebased(account), entries: [] }
  const { amount, each, cycleAt, expiresAt } = issued
  const command = cycleGrant(newId, after, {
    amount,
    cycleAt,
    expiresAt,
    creditsAmount: formatCredits(each, precision),
    issuing: {
      ...issuingOf(change),
      prorationBehavior: item.prorationBehavior,
      cycleLeft: Number(rest.left),
      cycle: Number(rest.of),
      inTrial: isInTrial(before),
    },
  })
  return grant(account, command, after.updatedAt)
}

const issuingOf = ({ mode, before, paymentId }: ChangingPlan) => ({
  rule: 'plan_change_grant' as const,
  billingMode: mode,
  previousProductId: before.productId,
  paymentId,
})

const governs = ({ subscriptionId }: Subscription, { governing }: Projected): boolean =>
  governing?.subscriptionId === subscriptionId
