import type { Boundary } from '../../parts/store/boundaries.ts'
import { rebased } from '../../rules/credits/account.ts'
import { expireGrant, resetCycle } from '../../rules/credits/cycle-end.ts'
import type { AccountDesk, Command } from '../accounts/change.ts'
import { changeAccounts } from '../accounts/change.ts'
import type { CycleNeeds } from './end-cycle.ts'
import { endSubscriptionCycle } from './end-cycle.ts'

/** Applies one due boundary; does nothing when somebody else has done it. (design 3, rule 7) */
export async function applyBoundary(needs: CycleNeeds, boundary: Boundary): Promise<void> {
  switch (boundary.kind) {
    case 'cycle_end':
      await endSubscriptionCycle(needs, boundary.scope, boundary.subscriptionId, boundary.at)
      return
    case 'expiry':
      await changeOne(needs, boundary, expiring(boundary))
      return
    case 'own_cycle_end':
      await changeOne(needs, boundary, endingOwnCycle(boundary))
  }
}

type AccountBoundary = Exclude<Boundary, { readonly kind: 'cycle_end' }>

function changeOne(desk: AccountDesk, boundary: AccountBoundary, command: Command): Promise<null> {
  const { key, at, kind } = boundary
  const month = kind === 'own_cycle_end'
  return changeAccounts<null>(desk, {
    keys: [key],
    at,
    decide: () => [command],
    write: async (changes) => {
      // The new month begins where the boundary stands, whatever the account was doing.
      const moved = changes.map((change) =>
        month ? { ...change, ownCycleAt: at, announce: true } : change,
      )
      return (await desk.accounts.save(moved)).size === moved.length
    },
    answer: () => null,
  })
}

function expiring({ at, grantId }: AccountBoundary & { readonly grantId: string }): Command {
  return ({ account }) => {
    const live = account.grants.some((each) => each.grantId === grantId)
    return live ? expireGrant(account, grantId, at) : null
  }
}

/** Governed by a subscription, only the calendar moves on: the resets are the subscription's. */
function endingOwnCycle({ at }: AccountBoundary): Command {
  return ({ account, governing, overage }) =>
    governing === null
      ? resetCycle(account, overage, at)
      : { account: rebased(account), entries: [] }
}
