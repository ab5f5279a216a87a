import type { EntryTotal } from '../balances/balance-entry.ts'
import type { Payout } from '../payouts/payout.ts'
import type { InvoicePaper, InvoicePayer, InvoiceSeller } from './invoice.ts'

interface PayoutParties {
  /** Null: the operator has not said who that is. */
  readonly payer: InvoicePayer | null
  readonly seller: InvoiceSeller
  readonly totals: readonly EntryTotal[]
}

/** The paper of a payout that succeeds, with what it consists of. [invoices#payouts] */
export const payoutPaper = (
  { amount, currency, payoutId }: Pick<Payout, 'amount' | 'currency' | 'payoutId'>,
  { payer, seller, totals }: PayoutParties,
): InvoicePaper => ({
  language: 'en',
  seller,
  buyer: null,
  currency,
  lines: [{ name: `Payout ${payoutId}`, description: null, quantity: 1, amount, tax: 0 }],
  discounts: [],
  tax: 0,
  total: amount,
  fromWallet: 0,
  isReverseCharged: false,
  paidOut: totals,
  ...(payer !== null && { payer }),
  paymentId: payoutId,
  card: null,
})
