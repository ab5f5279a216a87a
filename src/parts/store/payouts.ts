import type { Currency } from '../../rules/commerce/currency.ts'
import type { Payout } from '../../rules/commerce/payouts/payout.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

export interface Payouts {
  get(scope: Scope, payoutId: string): Promise<Payout | null>

  /** The payout of this id in any business; for the operator, who names none. */
  find(payoutId: string): Promise<(Scope & { readonly payout: Payout }) | null>

  /** The one that pays the newest entries of a ledger; null: there was none. */
  last(scope: Scope, currency: Currency): Promise<Payout | null>

  /** The one that pays an entry, or that the entry books; null: it waits to be paid out. */
  paying(
    scope: Scope,
    entry: { readonly currency: Currency; readonly number: number },
  ): Promise<Payout | null>

  /** Newest first; every filter that is not null must hold. */
  list(scope: Scope, filter: PayoutFilter, page: Page): Promise<readonly Payout[]>
}

export interface PayoutFilter {
  readonly createdFrom: Instant | null
  readonly createdTo: Instant | null
}
