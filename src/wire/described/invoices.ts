import { invoiceTier } from '../../rules/commerce/rate-tier.ts'
import { ours } from '../schemas.ts'
import type { Described, DescribedRoutes } from './described.ts'
import { textQuery } from './described.ts'

const { burst, sustained } = invoiceTier

/** What the three papers have in common. */
const paper = {
  note: `Invoices have windows of their own besides the general ones: ${burst} a second and ${sustained} a minute.`,
  query: {
    token: ours({
      ...textQuery,
      description: 'Opens this one file without a key; `invoice_url` has it.',
    }),
  },
  answers: 'pdf',
  tagged: true,
} as const satisfies Partial<Described>

export const invoicesDescribed: DescribedRoutes = {
  'GET /invoices/payments/:id': {
    ...paper,
    id: 'getPaymentInvoice',
    summary: 'Download the invoice of a payment',
  },
  'GET /invoices/refunds/:id': {
    ...paper,
    id: 'getRefundInvoice',
    summary: 'Download the credit note of a refund',
  },
  'GET /invoices/payouts/:id': {
    ...paper,
    id: 'getPayoutInvoice',
    summary: 'Download the invoice of a payout',
  },
}
