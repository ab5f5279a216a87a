import type { Balances } from '../../parts/store/balances.ts'
import type { Disputes } from '../../parts/store/disputes.ts'
import type { Invoices } from '../../parts/store/invoices.ts'
import type { Ledger } from '../../parts/store/ledger.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Payments } from '../../parts/store/payments.ts'
import type { Payouts } from '../../parts/store/payouts.ts'
import type { Refunds } from '../../parts/store/refunds.ts'
import type { Subscriptions } from '../../parts/store/subscriptions.ts'
import type { ListEventsNeeds } from '../events/list-events.ts'

/** What explanations of money need. */
export interface MoneyNeeds extends ListEventsNeeds {
  readonly balances: Balances
  readonly disputes: Disputes
  readonly invoices: Invoices
  readonly ledger: Pick<Ledger, 'entries'>
  readonly meters: Meters
  readonly payments: Payments
  readonly payouts: Payouts
  readonly refunds: Refunds
  readonly subscriptions: Subscriptions
}
