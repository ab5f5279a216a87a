import type { ChainedEntry, EntryTotal } from '../rules/commerce/balances/balance-entry.ts'
import type { Payout } from '../rules/commerce/payouts/payout.ts'
import { csvLine } from '../std/csv.ts'
import { formatInstant } from '../std/instant.ts'
import type { InvoiceLinks } from './invoice-link.ts'
import { payoutDocumentUrl } from './invoice-link.ts'

/** [resources#payouts] */
export type PayoutView = ReturnType<typeof payoutView>

/** [resources#payouts] */
export const payoutView = (businessId: string, payout: Payout, links: InvoiceLinks) => ({
  amount: payout.amount,
  business_id: businessId,
  chargebacks: payout.chargebacks,
  created_at: formatInstant(payout.createdAt),
  currency: payout.currency,
  fee: payout.fee,
  name: payout.name,
  // The operator pays, in whichever way.
  payment_method: 'manual',
  payout_document_url: payoutDocumentUrl(links, payout),
  payout_id: payout.payoutId,
  refunds: payout.refunds,
  remarks: payout.remarks,
  status: payout.status,
  // The tax of a payment is the business's, and stands in its `payment` entry.
  tax: 0,
  updated_at: formatInstant(payout.updatedAt),
})

/** [payouts#breakup] */
export type BreakupView = ReturnType<typeof breakupView>

/** [payouts#breakup] */
export const breakupView = ({ eventType, total }: EntryTotal) => ({
  event_type: eventType,
  total,
})

/** [payouts#breakup] */
export type PaidEntryView = ReturnType<typeof paidEntryView>

/** An entry of the ledger in the payout that pays it. [payouts#breakup] */
export function paidEntryView(entry: ChainedEntry) {
  const moved = entry.isCredit ? entry.amount : -entry.amount
  return {
    id: entry.entryId,
    created_at: formatInstant(entry.createdAt),
    description: entry.description,
    event_type: entry.eventType,
    original_amount: moved,
    original_currency: entry.currency,
    // A payout is in the currency of its ledger, and there are no exchange rates.
    payout_currency_amount: moved,
    reference_object_id: entry.referenceId,
    usd_equivalent_amount: moved,
  }
}

const csvColumns = [
  ['Ledger ID', 'id'],
  ['Event Type', 'event_type'],
  ['Original Amount', 'original_amount'],
  ['Original Currency', 'original_currency'],
  ['Reference Object ID', 'reference_object_id'],
  ['Description', 'description'],
  ['Created At', 'created_at'],
  ['USD Equivalent Amount', 'usd_equivalent_amount'],
  ['Payout Currency Amount', 'payout_currency_amount'],
] as const satisfies readonly (readonly [string, keyof PaidEntryView])[]

/** The first line of the table of a payout's entries. [payouts#breakup] */
export const paidEntriesCsvHead = csvLine(csvColumns.map(([title]) => title))

/** A line of it. */
export function paidEntryCsv(entry: ChainedEntry): string {
  const view = paidEntryView(entry)
  return csvLine(csvColumns.map(([, field]) => view[field]))
}
