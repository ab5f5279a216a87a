import type { RowChange } from '../../parts/store/changes.ts'
import type { Charges } from '../../parts/store/charges.ts'
import type { Booking } from '../../rules/commerce/balances/balance-entry.ts'
import { booked } from '../../rules/commerce/balances/balance-entry.ts'
import type { NewId } from '../../std/id.ts'

/** What everything that books a fee needs. */
export interface FeeNeeds {
  readonly charges: Charges
}

/** The entries of a cause in the ledger of the business's money, as rows of the cause's change. */
export const bookedRows = (newId: NewId, booking: Booking): readonly RowChange[] =>
  booked(newId, booking).map((row) => ({ noun: 'balance_entry', expected: null, row }))
