import type { BareFact, LowBalance } from '../facts/fact.ts'
import { factTypesOf } from '../facts/ledger-facts.ts'
import type { Account } from './account.ts'
import { storedBalance } from './account.ts'
import type { Credits } from './credits.ts'
import { formatCredits } from './credits.ts'
import type { Entry } from './entry.ts'
import type { LowBalanceWatch } from './low-balance.ts'
import { crossesDown, thresholdText } from './low-balance.ts'
import type { Projected } from './project.ts'
import type { Decided } from './settle.ts'
import type { AccountView } from './view.ts'

/**
 * The facts of one step: those of its entries, then a low balance for each watch whose threshold
 * the balance crossed downwards. [credits#low-balance, webhooks#kinds]
 */
export function stepFacts(
  view: AccountView,
  projected: Projected,
  { before, decided }: { readonly before: Account; readonly decided: Decided },
): readonly BareFact[] {
  const now = storedBalance(decided.account)
  const from = decided.lowFrom ?? storedBalance(before)
  const low = projected.watches
    .filter((watch) => crossesDown(watch, from, now))
    .map(
      (watch): BareFact => ({
        type: 'credit.balance_low',
        entryNumber: null,
        data: lowBalanceOf(view, projected, { watch, now }),
      }),
    )
  return [...decided.entries.flatMap(entryFacts), ...low]
}

/**
 * The facts of one entry, in the order in which they are told. [resources#ledger-entries,
 * webhooks#kinds]
 */
const entryFacts = (entry: Entry): readonly BareFact[] =>
  factTypesOf({ transactionType: entry.type, isCredit: entry.isCredit }).map((type) => ({
    type,
    entryNumber: entry.number,
    data: null,
  }))

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
