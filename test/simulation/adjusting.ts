import { Fault } from '../../src/faults.ts'
import { accountIdOf } from '../../src/operations/accounts/account-id.ts'
import type { Accounts } from '../../src/parts/store/accounts.ts'
import type { Changes } from '../../src/parts/store/changes.ts'
import { noCause } from '../../src/rules/accounts/cause.ts'
import type { AccountCommand } from '../../src/rules/accounts/change.ts'
import { changeOf } from '../../src/rules/accounts/change.ts'
import { debit, grant } from '../../src/rules/accounts/commands.ts'
import { credits } from '../../src/rules/accounts/credits.ts'
import type { AccountKey } from '../../src/rules/accounts/view.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { NewId } from '../../src/std/id.ts'

export interface Adjustment {
  readonly key: AccountKey
  readonly type: 'credit' | 'debit'
  readonly amount: bigint
  readonly idempotencyKey: string
}

/**
 * Manual credits and debits: adjustBalance() without its queue of commands. A process has one such
 * queue, and the simulated processes would share it: one that dies while it is its turn would hold
 * up all others.
 */
export function adjusting({
  accounts,
  changes,
  newId,
  clock,
}: {
  readonly accounts: Accounts
  readonly changes: Pick<Changes, 'commitEach'>
  readonly newId: NewId
  readonly clock: Clock
}) {
  return async function adjust(adjustment: Adjustment): Promise<{ readonly status: number }> {
    const { key, idempotencyKey } = adjustment
    try {
      for (;;) {
        if (await accounts.adjusted(accountIdOf(key), idempotencyKey)) return { status: 409 }
        const [view] = await accounts.load([key])
        if (view === undefined) return { status: 500 }
        const decide = commandOf(adjustment)
        const change = changeOf({ newId, accountIdOf }, view, {
          at: clock.now(),
          decide,
          idempotencyKey,
        })
        if ((await changes.commitEach([change])).size === 1) return { status: 200 }
      }
    } catch (error) {
      return { status: error instanceof Fault ? error.status : 500 }
    }
  }

  function commandOf({ type, amount }: Adjustment): AccountCommand {
    const at = clock.now()
    if (type === 'debit')
      return ({ account }) => {
        const decided = debit(account, { amount: credits(amount), cause: noCause }, at)
        if ('problem' in decided) throw new Fault('INSUFFICIENT_BALANCE', decided.problem)
        return decided
      }
    return ({ account }) =>
      grant(
        account,
        {
          grantId: newId('cgr'),
          amount: credits(amount),
          source: { type: 'api', id: null },
          cycleAt: null,
          expiresAt: null,
          metadata: null,
          entryType: 'manual_adjustment',
          cause: noCause,
        },
        at,
      )
  }
}
