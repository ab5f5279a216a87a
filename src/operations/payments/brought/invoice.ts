import type { Scope } from '../../../parts/store/scope.ts'
import { isReverseCharged, taxNumberOf } from '../../../rules/commerce/charges/tax-number.ts'
import type { CountryCode } from '../../../rules/commerce/country.ts'
import type { NewInvoice } from '../../../rules/commerce/invoices/invoice.ts'
import { paymentPaper } from '../../../rules/commerce/invoices/payment-paper.ts'
import type { CheckoutSession } from '../../../rules/commerce/payments/checkout-session.ts'
import type { Payment } from '../../../rules/commerce/payments/payment.ts'
import type { PaymentNeeds } from '../payment-needs.ts'
import type { Bringing, HeardNow, PaymentMoment } from './bringing.ts'

/**
 * The invoice of a payment that succeeds: it is issued in the change that makes the payment
 * succeed, and gets its number there. [invoices#numbers]
 */
export const bringInvoice: Bringing = async (needs, scope, heard) => {
  if (heard.outcome.status !== 'succeeded') return null
  const issue = await invoicing(needs, scope, heard)
  return {
    entitlementIds: [],
    decide: (moment) => ({ rows: [{ noun: 'invoice', expected: null, row: issue(moment) }] }),
  }
}

/** Loads what stands on the invoice of a payment besides the payment. */
export async function invoicing(
  { invoices, sessions }: Pick<PaymentNeeds, 'invoices' | 'sessions'>,
  scope: Scope,
  { customer, payment }: Pick<HeardNow, 'customer' | 'payment'>,
): Promise<(moment: Pick<PaymentMoment, 'at' | 'payment'>) => NewInvoice> {
  const { brandId } = payment
  const seller = await invoices.seller(scope, brandId)
  const session = await sessionOf(sessions, scope, payment)
  const language = session?.request.look.language ?? null
  return ({ at, payment }: { readonly at: NewInvoice['issuedAt']; readonly payment: Payment }) => ({
    kind: 'payment',
    subjectId: payment.paymentId,
    issuedAt: at,
    paper: paymentPaper(payment, {
      seller,
      customer,
      language,
      isReverseCharged: buyerOwesTax(payment),
    }),
  })
}

/** The session that a payment was made by, or else its subscription was bought by. */
async function sessionOf(
  sessions: PaymentNeeds['sessions'],
  scope: Scope,
  { sessionId, subscriptionId }: Payment,
): Promise<CheckoutSession | null> {
  if (sessionId !== null) return sessions.get(scope, sessionId)
  return subscriptionId === null ? null : sessions.ofSubscription(scope, subscriptionId)
}

/** A company that is free of the seller's tax owes its own. [resources#taxes] */
function buyerOwesTax({ billing, tax, taxId, totalAmount }: Payment): boolean {
  if (taxId === null || tax !== 0 || totalAmount === 0) return false
  const country = billing.country as CountryCode
  return isReverseCharged(taxNumberOf(country, taxId), country, null)
}
