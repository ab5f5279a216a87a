import type { AccountView, NewFact } from '../../parts/store/accounts.ts'
import type { Credits } from '../../rules/credits/credits.ts'
import { formatCredits } from '../../rules/credits/credits.ts'
import type { Entry, TransactionType } from '../../rules/credits/entry.ts'
import type { LowBalanceWatch } from '../../rules/credits/low-balance.ts'
import { crossesDown, thresholdText } from '../../rules/credits/low-balance.ts'
import type { Projected } from './project.ts'

type BareFact = Omit<NewFact, 'messageId' | 'at'>

/** Which webhooks an entry makes. [contract D.9] Refunds and top-ups make none. */
const types: Readonly<Record<TransactionType, string | null>> = {
  credit_added: 'credit.added',
  credit_deducted: 'credit.deducted',
  credit_expired: 'credit.expired',
  credit_rolled_over: 'credit.rolled_over',
  rollover_forfeited: 'credit.rollover_forfeited',
  overage_charged: 'credit.overage_charged',
  overage_reset: 'credit.overage_reset',
  manual_adjustment: 'credit.manual_adjustment',
  auto_top_up: null,
  refund: null,
}

/** A manual debit is announced under both names, for the same entry. [ruling 21] */
export function factsOf(entry: Entry): readonly BareFact[] {
  const type = types[entry.type]
  if (type === null) return []
  const own = { type, entryNumber: entry.number, data: null }
  const isDebit = entry.type === 'manual_adjustment' && !entry.isCredit
  return isDebit ? [own, { ...own, type: 'credit.deducted' }] : [own]
}

/** One for each watch whose line the step crossed downwards. [contract D.7, E.6, ruling 22] */
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
