import type { BookedType } from '../balances/balance-entry.ts'

/** What papers of payouts say besides; they are in English. [invoices#payouts] */
export const payoutTexts = {
  heading: 'Payout',
  number: 'Payout number',
  payout: 'Payout',
  paidBy: 'Paid by',
} as const

/** Kinds of entries, as a payout's paper names them. */
export const entryNames: Readonly<Record<BookedType, string>> = {
  payment: 'Payments',
  payment_fees: 'Payment fees',
  refund: 'Refunds',
  refund_fees: 'Refund fees',
  dispute: 'Disputes',
  dispute_fees: 'Dispute fees',
  dispute_reversal: 'Disputes given back',
  payout: 'Payouts',
  payout_fees: 'Payout fee',
  payout_reversal: 'Payouts that failed',
  payout_fees_reversal: 'Their fees',
}
