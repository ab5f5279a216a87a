import type { Instant } from '../../../std/instant.ts'
import type { AccountView } from '../../accounts/view.ts'
import type { ChangeCart } from '../payments/change-cart.ts'
import { changeCart, priceAfterCodes } from '../payments/change-cart.ts'
import type { WantedChange } from '../payments/wanted-change.ts'
import type { ProrationMode } from '../proration-mode.ts'
import { overageLines } from './bill.ts'
import type { BilledLine } from './dues.ts'
import { isInTrial } from './lifecycle.ts'
import type { Rest } from './plan-change.ts'
import { changedPlan, openCycle, restartsCycle, restOf, scheduledPlan } from './plan-change.ts'
import { renewed } from './renewal.ts'
import type { PendingChange, Subscription } from './subscription.ts'
import type { UsageBillAt } from './usage-bill.ts'

/** A plan change as it would be at a moment; nothing is written yet. */
export interface DecidedChange {
  readonly wanted: WantedChange
  readonly at: Instant
  readonly rest: Rest
  /** The subscription once the change is made, and paid. */
  readonly planned: Subscription
  /** What is charged, now or at the next billing date; null: nothing, whatever the price. */
  readonly cart: ChangeCart | null
  /** What is billed with it, besides the plan. */
  readonly accrued: readonly BilledLine[]
  /** Whether something is charged now. */
  readonly pays: boolean
}

/** When it is decided, and the accounts of what the subscription carries, or comes to carry. */
export interface DecidedWhen {
  readonly at: Instant
  readonly views: readonly AccountView[]
}

/** The change at that moment, when everything that was due before it is applied. */
export function decidePlanChange(wanted: WantedChange, when: DecidedWhen): DecidedChange {
  const { request, waits } = wanted
  if (waits) return waiting(wanted, when)
  return restartsCycle(request.mode) ? restarted(wanted, when) : kept(wanted, when)
}

/** Charged by the renewal at which it begins. */
function waiting(wanted: WantedChange, { at }: DecidedWhen): DecidedChange {
  const { before, discounts } = wanted
  const rest = restOf(openCycle(before), at)
  const after = scheduledAt(wanted, at)
  const planned = renewed(after, at)
  const cart = cartOf(wanted, { ...planned, discounts }, { rest, from: 0, accrued: [] })
  return { wanted, at, rest, planned, cart, accrued: [], pays: false }
}

/** The subscription with the change for the end of its cycle. */
export function scheduledAt(
  { before, changeId, discounts, plan, product, request }: WantedChange,
  at: Instant,
): Subscription {
  const scheduled = {
    id: changeId,
    createdAt: at,
    productName: product.name,
    productDescription: product.description,
    plan,
    discounts: request.discountCodes === null ? null : discounts,
    metadata: request.metadata,
  }
  return scheduledPlan(before, scheduled, at)
}

/** Where the cycle goes on, only overage of what the new plan does not carry is closed. */
function kept(wanted: WantedChange, { at, views }: DecidedWhen): DecidedChange {
  const { before, discounts, plan } = wanted
  const stays = new Set(plan.cart.map((item) => item.creditEntitlementId))
  const leaving = [...before.cart, ...before.leaving].filter(
    (item) => !stays.has(item.creditEntitlementId),
  )
  const closed = overageLines({ ...before, cart: leaving, leaving: [] }, views, at)
  const planned = {
    ...changedPlan(before, plan, { mode: wanted.request.mode, at, discounts }),
    unbilled: [...before.unbilled, ...closed],
  }
  const rest = restOf(openCycle(before), at)
  return { wanted, at, rest, planned, cart: null, accrued: [], pays: false }
}

/**
 * Where a new cycle begins, what was used is billed with the charge. It waits for the next renewal
 * where it is all that would be charged, and nothing can be; and where a failure is to leave the
 * plan as it was. [subscriptions#paying-for-a-change]
 */
function restarted(wanted: WantedChange, { at, views }: DecidedWhen): DecidedChange {
  const { before, discounts, hasMethod, onFailure, plan, request } = wanted
  const { mode } = request
  const rest = restOf(openCycle(before), at)
  const { accrued, billed } = accruedUntil(before, wanted.usage, { at, views })
  const bare = changedPlan(before, plan, { mode, at, discounts })
  const from = isInTrial(before) ? 0 : priceAfterCodes(before, wanted.lowering)
  const alone = cartOf(wanted, bare, { rest, from, accrued: [] })
  const recurs = alone.total > 0
  const billsAll = onFailure === 'apply_change' && (hasMethod || recurs || accrued.length === 0)
  const whole = billsAll ? cartOf(wanted, bare, { rest, from, accrued }) : alone
  const planned = {
    ...bare,
    discounts: whole.discounts,
    owed: whole.owed,
    unbilled: billsAll ? [] : accrued,
    billedUsage: billed,
  }
  const billing = billsAll ? accrued : []
  return { wanted, at, rest, planned, cart: whole, accrued: billing, pays: whole.total > 0 }
}

/** What was used and not billed, at the end that a plan change makes of a cycle. */
function accruedUntil(
  before: Subscription,
  usage: UsageBillAt,
  { at, views }: DecidedWhen,
): { readonly accrued: readonly BilledLine[] } & Pick<ReturnType<UsageBillAt>, 'billed'> {
  const { billed, lines } = usage(at)
  return { accrued: [...before.unbilled, ...lines, ...overageLines(before, views, at)], billed }
}

/** The subscription once a change that was to be paid first is. */
export function paidPlan(
  before: Subscription,
  { discounts, mode, plan }: PendingChange,
  { at, usage, views }: DecidedWhen & { readonly usage: UsageBillAt },
): Subscription {
  const { accrued, billed } = accruedUntil(before, usage, { at, views })
  const changed = changedPlan(before, plan, { mode, at, discounts })
  return { ...changed, unbilled: accrued, billedUsage: billed }
}

function cartOf(
  { before, product, request, taxes }: WantedChange,
  planned: Subscription,
  of: {
    readonly rest: Rest
    readonly from: number
    readonly accrued: readonly BilledLine[]
  },
): ChangeCart {
  const { accrued, from, rest } = of
  const mode: ProrationMode = request.mode
  return changeCart({
    subscription: { ...planned, owed: before.owed },
    product,
    taxes,
    usage: accrued.map(({ amount, ...line }) => ({ ...line, price: amount })),
    mode,
    rest,
    from,
  })
}

/** The subscription on the new plan, where it waits for its payment. */
export const pendingChange = (
  before: Subscription,
  changing: PendingChange,
  at: Instant,
): Subscription => ({
  ...before,
  owed: before.owed - changing.used,
  changing,
  version: before.version + 1,
  updatedAt: at,
})
