import type { Instant } from '../../std/instant.ts'
import type { OverageBehavior } from '../commerce/catalog/credit-settings.ts'
import type { Account } from './account.ts'
import { formatCredits, noCredits } from './credits.ts'
import { difference, noCause, standing } from './entry.ts'
import type { Decided } from './settle.ts'

/** Billed, forgiven or carried over. [D.6] */
export function resetOverage(
  decided: Decided,
  { behavior }: { readonly behavior: OverageBehavior },
  at: Instant,
): Decided {
  const { account } = decided
  const { overage } = account.state
  const carried = behavior === 'carry_deficit' || behavior === 'carry_deficit_auto_repay'
  if (overage === 0n || carried) return decided
  const charged = behavior === 'invoice_at_billing' ? [chargeOf(account, at)] : []
  const counted = { ...account, entries: account.entries + charged.length }
  const next = { ...account.state, overage: noCredits }
  const inputs = { rule: 'overage_reset', behavior }
  const write = { type: 'overage_reset' as const, cause: { ...noCause, inputs }, at }
  const reset = difference(counted, next, write)
  return {
    account: { ...counted, state: next, entries: counted.entries + reset.length },
    entries: [...decided.entries, ...charged, ...reset],
  }
}

function chargeOf(account: Account, at: Instant) {
  const { overage } = account.state
  return standing(account, {
    type: 'overage_charged',
    isCredit: false,
    amount: overage,
    grantId: null,
    cause: {
      ...noCause,
      inputs: { rule: 'overage_charged', overage: formatCredits(overage, account.precision) },
    },
    at,
  })
}
