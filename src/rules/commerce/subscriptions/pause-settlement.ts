import type { AccountCommand } from '../../accounts/change.ts'
import { totalOf } from './bill.ts'
import type { Dues, RenewalOutcome } from './dues.ts'
import { failedDues, newDues } from './dues.ts'
import type { CycleEnded, EndingBy } from './end-of-cycle.ts'
import type { Now } from './lifecycle.ts'
import { resumed } from './lifecycle.ts'
import { moveCommands } from './open-cycle-commands.ts'
import type { Subscription } from './subscription.ts'
import { isOver } from './subscription.ts'
import type { SubscriptionChange } from './subscription-change.ts'

/**
 * A subscription that pauses: what was used and not billed is charged at once. What nothing can pay
 * waits for the next renewal. Overage stays: its cycle goes on. [subscriptions#pauses]
 */
export function settledPause(
  before: Subscription,
  paused: Subscription,
  by: Pick<EndingBy, 'canPay' | 'newId' | 'priced' | 'usage'>,
): Pick<CycleEnded, 'after' | 'attempt'> {
  const accrued = [...before.unbilled, ...by.usage.lines]
  if (accrued.length === 0) return { after: paused, attempt: null }
  const { lines, owed } = by.priced(paused, accrued)
  const due = { currency: paused.currency, totalAmount: totalOf(lines) }
  const billed = { ...paused, owed, unbilled: [], billedUsage: by.usage.billed }
  if (due.totalAmount === 0) return { after: billed, attempt: null }
  if (!by.canPay(due)) return { after: paused, attempt: null }
  const paymentId = by.newId('pay')
  const pause = { lines: accrued, used: paused.owed - owed }
  return {
    after: { ...billed, dues: { ...newDues(paymentId, {}), pause } },
    attempt: { purpose: 'renewal', paymentId, lines, discounts: [] },
  }
}

/**
 * What becomes of a subscription with the news of what its pause has charged. Paid: it stays
 * paused, or is active again where it was on hold. Failed: it is on hold, with its dates later by
 * the pause until then. No credits come with it. [subscriptions#pauses, subscriptions#dunning]
 */
export function pauseHeard(
  before: Subscription,
  dues: Dues,
  of: Now & { readonly outcome: RenewalOutcome; readonly canRetry: boolean },
): SubscriptionChange {
  const { at, canRetry, outcome } = of
  const heard = { ...before, version: before.version + 1, updatedAt: at }
  const nothing = new Map<string, AccountCommand>()
  if (outcome === 'waits') return { after: heard, commands: nothing }
  if (isOver(before)) return { after: { ...heard, dues: null }, commands: nothing }
  if (outcome === 'paid') {
    const status = before.status === 'on_hold' ? 'active' : before.status
    return { after: { ...heard, status, dues: null }, commands: nothing }
  }
  const going = before.status === 'paused' ? resumed(before, of) : heard
  const after = { ...going, status: 'on_hold', dues: failedDues(dues, at, canRetry) } as const
  return { after, commands: before.status === 'paused' ? moveCommands(before, after) : nothing }
}
