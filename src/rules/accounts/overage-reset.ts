import type { Instant } from '../../std/instant.ts'
import type { OverageBehavior } from '../commerce/catalog/credit-settings.ts'
import type { Account } from './account.ts'
import { noCause } from './cause.ts'
import { formatCredits, noCredits } from './credits.ts'
import type { EarlyEnd } from './early-end.ts'
import { earlyInputs } from './early-end.ts'
import { difference, standing } from './entry.ts'
import type { Decided } from './settle.ts'

/** How overage is closed, by the terms that governed it. [credits#overage] */
export interface OverageClosing {
  readonly behavior: OverageBehavior
  /** Absent: the cycle came to its planned end. */
  readonly early?: EarlyEnd
}

/** Closes overage: it is billed, forgiven or carried over. [credits#overage] */
export function resetOverage(decided: Decided, closing: OverageClosing, at: Instant): Decided {
  const { behavior, early } = closing
  const { account } = decided
  const { overage } = account.state
  const carried = behavior === 'carry_deficit' || behavior === 'carry_deficit_auto_repay'
  if (overage === 0n || carried) return decided
  const charged = behavior === 'invoice_at_billing' ? [chargeOf(account, closing, at)] : []
  const counted = { ...account, entries: account.entries + charged.length }
  const next = { ...account.state, overage: noCredits }
  const inputs = { rule: 'overage_reset' as const, behavior, ...earlyInputs(early) }
  const write = { type: 'overage_reset' as const, cause: { ...noCause, inputs }, at }
  const reset = difference(counted, next, write)
  return {
    account: { ...counted, state: next, entries: counted.entries + reset.length },
    entries: [...decided.entries, ...charged, ...reset],
  }
}

function chargeOf(account: Account, { early }: OverageClosing, at: Instant) {
  const overage = formatCredits(account.state.overage, account.precision)
  return standing(account, {
    type: 'overage_charged',
    isCredit: false,
    amount: account.state.overage,
    grantId: null,
    cause: {
      ...noCause,
      inputs: { rule: 'overage_charged', overage, ...earlyInputs(early) },
    },
    at,
  })
}
