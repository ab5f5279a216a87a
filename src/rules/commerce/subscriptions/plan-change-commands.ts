import type { NewId } from '../../../std/id.ts'
import { rebased, storedBalance } from '../../accounts/account.ts'
import { termsOf } from '../../accounts/attached-credits.ts'
import type { AccountCommand } from '../../accounts/change.ts'
import type { GrantCommand } from '../../accounts/commands.ts'
import { grant } from '../../accounts/commands.ts'
import { formatCredits } from '../../accounts/credits.ts'
import { endCycle, resetCycle } from '../../accounts/cycle-end.ts'
import { moveCycle } from '../../accounts/cycle-move.ts'
import type { Projected } from '../../accounts/project.ts'
import type { Decided } from '../../accounts/settle.ts'
import type { ChangeCart } from '../payments/change-cart.ts'
import type { WantedChange } from '../payments/wanted-change.ts'
import type { ProrationMode } from '../proration-mode.ts'
import { grantOnChange } from './change-grant.ts'
import { cycleGrant, grantOfCycle, rolloverOf } from './cycle-grant.ts'
import type { DecidedWhen } from './decide-plan-change.ts'
import { decidePlanChange, paidPlan, pendingChange, scheduledAt } from './decide-plan-change.ts'
import { newDues } from './dues.ts'
import { heldOf } from './end-of-cycle.ts'
import { isInTrial } from './lifecycle.ts'
import { moveOf } from './open-cycle-commands.ts'
import type { Rest } from './plan-change.ts'
import { openCycle, restartsCycle, restOf } from './plan-change.ts'
import type { CycleItem } from './renewal.ts'
import { itemsOf } from './renewal.ts'
import type { PendingChange, Subscription } from './subscription.ts'
import type { SubscriptionChange } from './subscription-change.ts'
import type { UsageBillAt } from './usage-bill.ts'

interface ChangingPlan {
  readonly newId: NewId
  readonly before: Subscription
  /** The subscription after the change, which happens at its `updatedAt`. */
  readonly after: Subscription
  readonly mode: ProrationMode
  readonly rest: Rest
  readonly paymentId: string | null
  /** Whether credits come with the change; else they come with its payment. */
  readonly grants: boolean
}

/** What a plan change asks to be paid. */
export interface ChangeAttempt {
  readonly paymentId: string
  readonly cart: ChangeCart
  /** Whether the plan is changed already, and the subscription owes it. */
  readonly isOwed: boolean
}

export interface PlanChanged extends SubscriptionChange {
  /** Null: nothing is charged. */
  readonly attempt: ChangeAttempt | null
}

interface ChangeTime extends DecidedWhen {
  readonly newId: NewId
}

/**
 * The plan change at that moment, when everything that was due before it is applied. One that
 * charges nothing is made at once. One that charges is made with its success, or at once, and is
 * owed: its credits come with the payment, as those of a renewal.
 * [subscriptions#paying-for-a-change]
 */
export function planChangeAt(wanted: WantedChange, when: ChangeTime): PlanChanged {
  const { at, newId, views } = when
  const { before, onFailure, plan, request, waits } = wanted
  const { mode } = request
  const decided = decidePlanChange(wanted, when)
  const { cart, pays, planned, rest } = decided
  if (waits) return { after: scheduledAt(wanted, at), commands: new Map(), attempt: null }
  if (!pays || cart === null) {
    const made = { newId, before, after: planned, mode, rest, paymentId: null, grants: true }
    return { after: planned, commands: planCommands(made), happened, attempt: null }
  }
  const paymentId = newId('pay')
  if (onFailure === 'prevent_change') {
    const { charged, discounts } = cart
    const changing = { paymentId, mode, plan, discounts, used: charged.used }
    const after = pendingChange(before, changing, at)
    return { after, commands: new Map(), attempt: { paymentId, cart, isOwed: false } }
  }
  const { productId: previousProductId } = before
  const change = { mode, previousProductId, inTrial: isInTrial(before) }
  const after = { ...planned, dues: newDues(paymentId, heldOf(views, at), change) }
  const commands = planCommands({ newId, before, after, mode, rest, paymentId, grants: false })
  return { after, commands, attempt: { paymentId, cart, isOwed: true } }
}

const happened = ['plan_changed'] as const

/** The change of a plan that was to be paid first, with its payment. */
export function paidPlanChange(
  before: Subscription,
  changing: PendingChange,
  when: ChangeTime & { readonly usage: UsageBillAt },
): SubscriptionChange {
  const { at, newId } = when
  const { mode, paymentId } = changing
  const after = paidPlan(before, changing, when)
  const rest = restOf(openCycle(before), at)
  const commands = planCommands({ newId, before, after, mode, rest, paymentId, grants: true })
  return { after, commands, happened }
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
    const decided = endCycle(account, {
      subscriptionId,
      cycleAt,
      at,
      nextEnd,
      isTrial: isInTrial(before),
      early: { by: 'plan_change', subscriptionId },
      rollover: rolloverOf(item.ending),
      overage: governs(before, projected) ? projected.overage : null,
      next: change.grants ? wholeGrant(change, item, projected) : null,
      newGrantId: () => newId('cgr'),
    })
    // Judged once it is known whether the credits come. [credits#low-balance]
    return change.grants ? decided : { ...decided, lowFrom: storedBalance(decided.account) }
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
