import { refundPaper } from '../../../rules/commerce/invoices/refund-paper.ts'
import { invoicing } from '../../payments/brought/invoice.ts'
import type { PaymentNeeds } from '../../payments/payment-needs.ts'
import type { TakingBack } from './taking-back.ts'

/**
 * The credit note of a refund that succeeds, with a number of its own sequence. Its parties are
 * those of the payment's invoice. [invoices#credit-notes]
 */
export const issueCreditNote: TakingBack<PaymentNeeds> = async (needs, scope, payment) => {
  const { customerId, paymentId } = payment
  const invoice = await needs.invoices.get(scope, 'payment', paymentId)
  const customer = await needs.customers.get(scope, customerId)
  if (customer === null) return null
  const issue = await invoicing(needs, scope, { customer, payment })
  return {
    entitlementIds: [],
    decide: ({ at, payment, refund }) => {
      const paper = invoice?.paper ?? issue({ at, payment }).paper
      const row = {
        kind: 'refund' as const,
        subjectId: refund.refundId,
        issuedAt: at,
        paper: refundPaper(refund, payment, { invoice, paper }),
      }
      return { rows: [{ noun: 'invoice', expected: null, row }] }
    },
  }
}
