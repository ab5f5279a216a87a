import type {
  BalanceEventType,
  ChainedEntry,
  EntryTotal,
} from '../../rules/commerce/balances/balance-entry.ts'
import type { Currency } from '../../rules/commerce/currency.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** The ledgers of a business's money, one for each currency. */
export interface Balances {
  /** Newest first; every filter that is not null must hold. */
  entries(scope: Scope, filter: BalanceFilter, page: Page): Promise<readonly ChainedEntry[]>

  /** The entry of this id in any business; for the operator, who names none. */
  find(entryId: string): Promise<(Scope & { readonly entry: ChainedEntry }) | null>

  /** The newest entry of a currency; null: there is none. */
  newest(scope: Scope, currency: Currency): Promise<ChainedEntry | null>

  /** These entries, oldest first. */
  between(scope: Scope, span: EntrySpan, page: Page): Promise<readonly ChainedEntry[]>

  /** What these entries move, by their kinds, in the order of their first ones. */
  totals(scope: Scope, span: EntrySpan): Promise<readonly EntryTotal[]>
}

/** Entries of one ledger by their numbers, both ends included. */
export interface EntrySpan {
  readonly currency: Currency
  readonly from: number
  readonly to: number
}

export interface BalanceFilter {
  readonly currency: Currency | null
  readonly eventType: BalanceEventType | null
  readonly referenceId: string | null
  readonly createdFrom: Instant | null
  readonly createdTo: Instant | null
}
