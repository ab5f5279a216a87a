import { Fault, orNotFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { CartItem } from '../../rules/commerce/subscriptions/cart.ts'
import { termsOf } from '../../rules/commerce/subscriptions/cart.ts'
import {
  creditsOnChange,
  restartsCycle,
  unscheduledPlan,
} from '../../rules/commerce/subscriptions/plan-change.ts'
import { expiryAfter, grant } from '../../rules/credits/commands.ts'
import { formatCredits } from '../../rules/credits/credits.ts'
import type { CycleMove } from '../../rules/credits/cycle-move.ts'
import { moveCycle } from '../../rules/credits/cycle-move.ts'
import type { Decided } from '../../rules/credits/settle.ts'
import type { Instant } from '../../std/instant.ts'
import type { Command } from '../accounts/change.ts'
import type { Projected } from '../accounts/project.ts'
import type { SubscriptionDesk } from './change-subscription.ts'
import { changeSubscription } from './change-subscription.ts'
import { cycleGrant } from './cycle-grant.ts'
import type { DecidedChange, PlanChangeNeeds, PlanChangeRequest } from './plan-change.ts'
import { decidePlanChange } from './plan-change.ts'

/**
 * Changes the plan at once, or at the next billing date. Until processors exist the charge counts
 * as paid, by a payment of the sandbox. Refuses what decidePlanChange() refuses. [contract B.5,
 * ruling 26]
 */
export async function changePlan(
  needs: PlanChangeNeeds,
  scope: Scope,
  request: PlanChangeRequest,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const decided = await decidePlanChange(needs, scope, request)
    const { before, after } = decided
    const paymentId = decided.charged.due > 0 ? needs.newId('pay') : null
    const commands = request.waits
      ? new Map<string, Command>()
      : commandsOf(needs, decided, { ...request, paymentId })
    if (await changeSubscription(needs, scope, { before, after, commands, at: request.at })) return
  }
  throw tooBusy()
}

/** Takes back the change that waits. 404 where none does. */
export async function cancelScheduledChange(
  needs: SubscriptionDesk,
  scope: Scope,
  { subscriptionId, at }: { readonly subscriptionId: string; readonly at: Instant },
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const before = orNotFound(
      await needs.subscriptions.find(scope, subscriptionId),
      'subscription',
      subscriptionId,
    )
    if (before.scheduled === null) {
      throw new Fault(
        'SCHEDULED_PLAN_CHANGE_NOT_FOUND',
        'No plan change waits for the next billing date of this subscription.',
      )
    }
    const after = unscheduledPlan(before, at)
    if (await changeSubscription(needs, scope, { before, after, commands: new Map(), at })) return
  }
  throw tooBusy()
}

const triesMax = 20

const tooBusy = (): Fault =>
  new Fault('UNAVAILABLE', 'The subscription is changing too fast just now; try again.', {
    retryAfterSeconds: 1,
  })

type Changing = PlanChangeRequest & { readonly paymentId: string | null }

/** Accounts settle on the old terms, keep their grants, and get the new plan's credits. [D.3] */
function commandsOf(
  needs: PlanChangeNeeds,
  decided: DecidedChange,
  request: Changing,
): ReadonlyMap<string, Command> {
  const { before, after } = decided
  const old = [...before.cart, ...before.leaving]
  const ids = new Set([...old, ...after.cart].map((item) => item.creditEntitlementId))
  return new Map(
    [...ids].map((id): [string, Command] => {
      const [was, is] = [old, after.cart].map((cart) =>
        cart.find((item) => item.creditEntitlementId === id),
      )
      return [
        id,
        (projected) => {
          const moved = moveCycle(projected.account, moveOf(decided, request, { was, projected }))
          return is === undefined
            ? moved
            : granted(needs, moved, { decided, request, item: is, projected })
        },
      ]
    }),
  )
}

function moveOf(
  { before, after }: DecidedChange,
  { mode, at }: Changing,
  of: { readonly was: CartItem | undefined; readonly projected: Projected },
): CycleMove {
  const { subscriptionId, nextBillingDate: from } = before
  const restarts = restartsCycle(mode)
  const governs = of.projected.governing?.subscriptionId === subscriptionId
  const hasTimeframe = (of.was?.rolloverTimeframeCount ?? null) !== null
  return {
    subscriptionId,
    next: { from, to: restarts ? at : from },
    restarts: restarts && governs,
    ...(hasTimeframe ? {} : { rolledEnd: { from, to: after.nextBillingDate } }),
  }
}

function granted(
  { newId }: PlanChangeNeeds,
  moved: Decided,
  of: {
    readonly decided: DecidedChange
    readonly request: Changing
    readonly item: CartItem
    readonly projected: Projected
  },
): Decided {
  const { after, before, rest } = of.decided
  const { mode, at, paymentId } = of.request
  const terms = termsOf(of.item, of.projected.precision)
  const { quantity, previousBillingDate: cycleAt } = after
  const amount = creditsOnChange(of.item, { amount: terms.amount, quantity }, rest)
  if (amount === 0n) return moved
  const command = cycleGrant(newId, after, {
    amount,
    creditsAmount: formatCredits(terms.amount, of.projected.precision),
    cycleAt,
    expiresAt: expiryAfter(terms.expiresAfterDays, at),
    inputs: {
      rule: 'plan_change_grant',
      proration_behavior: of.item.prorationBehavior,
      proration_billing_mode: mode,
      previous_product_id: before.productId,
      cycle_left_us: Number(rest.left),
      cycle_us: Number(rest.of),
      payment_id: paymentId,
    },
  })
  const added = grant(moved.account, command, at)
  return { account: added.account, entries: [...moved.entries, ...added.entries] }
}
