import type { Scope } from '../../parts/store/scope.ts'
import type { AccountChange } from '../../rules/accounts/change.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { tryCommand } from './command-subscription.ts'
import type { UpdateNeeds, UpdateRequest } from './update-subscription.ts'
import { updateCommand } from './update-subscription.ts'
import { dueBefore, writingNothing } from './writing-nothing.ts'

/** What a change of a subscription would write. */
export interface ForeseenUpdate {
  readonly subscription: Subscription
  /** What would become of its customer's accounts; those that stay as they are left out. */
  readonly accounts: readonly AccountChange[]
  /** What it would charge last; null: nothing. [subscriptions#settling] */
  readonly payment: Payment | null
}

/**
 * A change of a subscription as it would be now: the very command, with nothing written. Refuses
 * what the change itself refuses, and 503 while something is due before it: the change would wait
 * for that, but looking ahead changes nothing. [security#the-console]
 */
export async function foreseeUpdate(
  needs: UpdateNeeds,
  scope: Scope,
  request: UpdateRequest,
): Promise<ForeseenUpdate> {
  const nothing = writingNothing(needs)
  await tryCommand(nothing.needs, scope, updateCommand(needs, scope, request))
  const [change] = nothing.written
  const row = change?.rows.find(({ noun }) => noun === 'subscription')
  if (change === undefined || row?.noun !== 'subscription') throw dueBefore()
  const paid = change.rows.find(({ noun }) => noun === 'payment')
  const payment = paid?.noun === 'payment' ? paid.row : null
  return { subscription: row.row, accounts: change.accounts, payment }
}
