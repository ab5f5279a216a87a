import type { DescribedRoutes } from './described.ts'
import { textQuery } from './described.ts'

const token = {
  ...textQuery,
  description: 'Opens this one file without a key; `invoice_url` has it.',
}

export const invoicesDescribed: DescribedRoutes = {
  'GET /invoices/payments/:id': {
    id: 'getPaymentInvoice',
    summary: 'Download the invoice of a payment',
    query: { token },
    answers: 'pdf',
    tagged: true,
  },
  'GET /invoices/refunds/:id': {
    id: 'getRefundInvoice',
    summary: 'Download the credit note of a refund',
    query: { token },
    answers: 'pdf',
    tagged: true,
  },
  'GET /invoices/payouts/:id': {
    id: 'getPayoutInvoice',
    summary: 'Download the invoice of a payout',
    query: { token },
    answers: 'pdf',
    tagged: true,
  },
}
