import type { Payment } from '../payments/payment.ts'
import type { Refund } from '../refunds/refund.ts'
import type { Invoice, InvoiceLine, InvoicePaper } from './invoice.ts'
import { invoiceId } from './invoice.ts'

/**
 * The credit note of a refund that succeeds: it names the invoice that it takes back, and has the
 * parties that stand there. `paper`: that of the payment's invoice. [invoices#credit-notes]
 */
export const refundPaper = (
  refund: Refund,
  payment: Payment,
  { invoice, paper }: { readonly invoice: Invoice | null; readonly paper: InvoicePaper },
): InvoicePaper => ({
  ...paper,
  lines: refund.lines.map((line) => lineOf(line, payment)),
  discounts: [],
  tax: refund.tax,
  total: refund.amount,
  fromWallet: 0,
  credited: { invoiceId: invoice === null ? null : invoiceId(invoice.kind, invoice.number) },
})

const lineOf = (
  { amount, itemId, tax }: Refund['lines'][number],
  { lines }: Payment,
): InvoiceLine => ({
  name: lines.find((line) => line.itemId === itemId)?.name ?? itemId,
  description: null,
  quantity: null,
  amount: amount - tax,
  tax,
})
