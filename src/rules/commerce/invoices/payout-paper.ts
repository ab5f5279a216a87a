import type { EntryTotal } from '../balances/balance-entry.ts'
import type { Payout } from '../payouts/payout.ts'
import type { InvoicePaper, InvoiceSeller } from './invoice.ts'

/** The paper of a payout that succeeds, with what it consists of. [invoices#payouts] */
export const payoutPaper = (
  { amount, currency, payoutId }: Pick<Payout, 'amount' | 'currency' | 'payoutId'>,
  { seller, totals }: { readonly seller: InvoiceSeller; readonly totals: readonly EntryTotal[] },
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
  paymentId: payoutId,
  card: null,
})
