import type { Payment } from './payment.ts'

/**
 * A payment that was made before anybody has tried to pay it, as the page's first attempt makes it:
 * the same payment, paid as the attempt says. [payments#payments-without-a-session]
 */
export const attemptAt = (opened: Payment, attempt: Payment): Payment => ({
  ...attempt,
  paymentId: opened.paymentId,
  subscriptionId: opened.subscriptionId,
  paymentLink: opened.paymentLink,
  version: opened.version + 1,
  createdAt: opened.createdAt,
})

/** Whether nobody has tried to pay it yet. */
export const isOpened = ({ status }: Pick<Payment, 'status'>): boolean =>
  status === 'requires_payment_method'
