import type { ChainedEntry } from '../rules/commerce/balances/balance-entry.ts'
import { formatInstant } from '../std/instant.ts'

/** [resources#business-balances] */
export type BalanceEntryView = ReturnType<typeof balanceEntryView>

/** [resources#business-balances] */
export const balanceEntryView = (businessId: string, entry: ChainedEntry) => ({
  id: entry.entryId,
  after_balance: entry.balanceAfter,
  amount: entry.amount,
  before_balance: entry.balanceBefore,
  business_id: businessId,
  created_at: formatInstant(entry.createdAt),
  currency: entry.currency,
  description: entry.description,
  event_type: entry.eventType,
  is_credit: entry.isCredit,
  reference_object_id: entry.referenceId,
  // There are no exchange rates: a smallest unit counts as a cent, whatever its currency.
  usd_equivalent_amount: entry.amount,
})
