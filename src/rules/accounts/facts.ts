import type { LowBalance } from '../facts/fact.ts'
import { factTypesOf } from '../facts/ledger-facts.ts'
import type { BareFact } from './change.ts'
import type { Credits } from './credits.ts'
import { formatCredits } from './credits.ts'
import type { Entry } from './entry.ts'
import type { LowBalanceWatch } from './low-balance.ts'
import { crossesDown, thresholdText } from './low-balance.ts'
import type { Projected } from './project.ts'
import type { AccountView } from './view.ts'

/**
 * The facts that an entry is told as, in the order of telling. [resources#ledger-entries,
 * webhooks#kinds]
 */
export const factsOf = (entry: Entry): readonly BareFact[] =>
  factTypesOf({ transactionType: entry.type, isCredit: entry.isCredit }).map((type) => ({
    type,
    entryNumber: entry.number,
    data: null,
  }))

/**
 * One for each watch whose line the step crossed downwards. [credits#low-balance, webhooks#kinds]
 */
export function lowBalanceFacts(
  view: AccountView,
  projected: Projected,
  balance: { readonly before: Credits; readonly now: Credits },
): readonly BareFact[] {
  return projected.watches
    .filter((watch) => crossesDown(watch, balance.before, balance.now))
    .map((watch) => ({
      type: 'credit.balance_low',
      entryNumber: null,
      data: lowBalanceOf(view, projected, { watch, now: balance.now }),
    }))
}

function lowBalanceOf(
  { key, entitlement }: AccountView,
  { precision, brandId }: Projected,
  { watch, now }: { readonly watch: LowBalanceWatch; readonly now: Credits },
): LowBalance {
  return {
    customerId: key.customerId,
    entitlementId: key.entitlementId,
    entitlementName: entitlement?.name ?? '',
    brandId,
    subscriptionId: watch.subscriptionId,
    balance: formatCredits(now, precision),
    creditsAmount: formatCredits(watch.creditsAmount, precision),
    thresholdPercent: watch.percent,
    thresholdAmount: thresholdText(watch, precision),
  }
}
