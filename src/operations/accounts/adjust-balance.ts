import assert from 'node:assert/strict'
import { Fault, unlessRefused } from '../../faults.ts'
import type { Adjustment } from '../../rules/accounts/adjustment.ts'
import { adjusting } from '../../rules/accounts/adjustment.ts'
import type { AccountChange } from '../../rules/accounts/change.ts'
import { commandAccounts } from '../boundaries/command-accounts.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { accountIdOf } from './account-id.ts'

/**
 * A manual credit or debit. Refuses: 404 an unknown entitlement or customer; 409 an idempotency key
 * that was used on this account before; 422 more decimals than the precision, or too many keys in
 * metadata; 400 an amount of 10^10 or more, an integer in metadata that is too large, or a debit
 * above the balance. [resources#adjustments]
 */
export async function adjustBalance(
  desk: DueFirstNeeds,
  adjustment: Adjustment,
): Promise<AccountChange> {
  const { key, idempotencyKey } = adjustment
  return commandAccounts(desk, {
    operation: 'adjust_balance',
    customer: key,
    entitlementIds: [key.entitlementId],
    // A repeat is refused as such before anything else is judged. [requests#refusals]
    look: () => refuseUsedKey(desk, adjustment),
    decide: ([view], { at }) => {
      assert(view !== undefined)
      const adjusted = unlessRefused(adjusting(adjustment, view, { at, newId: desk.newId }))
      return {
        commands: [(projected) => unlessRefused(adjusted(projected))],
        idempotencyKey,
        answer: ([change]) => {
          if (change === undefined) throw new Error('An adjustment without a change.')
          return change
        },
      }
    },
  })
}

async function refuseUsedKey(
  desk: DueFirstNeeds,
  { key, idempotencyKey }: Adjustment,
): Promise<void> {
  if (idempotencyKey === null) return
  if (!(await desk.accounts.adjusted(accountIdOf(key), idempotencyKey))) return
  throw new Fault(
    'IDEMPOTENCY_KEY_REUSED',
    'This idempotency_key was already used on this balance; a new adjustment needs a new one.',
  )
}
