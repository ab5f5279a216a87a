import { factTypesOf } from '../facts/ledger-facts.ts'
import type { NewFact } from './change.ts'
import type { Credits } from './credits.ts'
import { formatCredits } from './credits.ts'
import type { Entry } from './entry.ts'
import type { LowBalanceWatch } from './low-balance.ts'
import { crossesDown, thresholdText } from './low-balance.ts'
import type { Projected } from './project.ts'
import type { AccountView } from './view.ts'

type BareFact = Omit<NewFact, 'messageId' | 'at'>

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
      data: lowBalanceData(view, projected, watch, balance.now),
    }))
}

function lowBalanceData(
  view: AccountView,
  { precision, brandId }: Projected,
  watch: LowBalanceWatch,
  now: Credits,
): Readonly<Record<string, unknown>> {
  return {
    payload_type: 'CreditBalanceLow',
    available_balance: formatCredits(now, precision),
    brand_id: brandId,
    credit_entitlement_id: view.key.entitlementId,
    credit_entitlement_name: view.entitlement?.name ?? '',
    customer_id: view.key.customerId,
    subscription_credits_amount: formatCredits(watch.creditsAmount, precision),
    subscription_id: watch.subscriptionId,
    threshold_amount: thresholdText(watch, precision),
    threshold_percent: watch.percent,
  }
}
