import { orNotFound } from '../../faults.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { PaymentFilter, Payments } from '../../parts/store/payments.ts'
import type { Page, Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'

export interface ReadPaymentsNeeds {
  readonly customers: Customers
  readonly payments: Payments
}

export interface ReadPayment {
  readonly payment: Payment
  readonly customer: Customer
}

/** 404 for an unknown payment. [resources#payments] */
export async function readPayment(
  needs: ReadPaymentsNeeds,
  scope: Scope,
  paymentId: string,
): Promise<ReadPayment> {
  const found = await needs.payments.get(scope, paymentId)
  const payment = orNotFound(found, 'payment', paymentId)
  const customer = await needs.customers.get(scope, payment.customerId)
  return { payment, customer: orNotFound(customer, 'customer', payment.customerId) }
}

/** Newest first. [resources#payments] */
export async function listPayments(
  needs: ReadPaymentsNeeds,
  scope: Scope,
  { filter, page }: { readonly filter: PaymentFilter; readonly page: Page },
): Promise<readonly ReadPayment[]> {
  const payments = await needs.payments.list(scope, filter, page)
  const ids = [...new Set(payments.map(({ customerId }) => customerId))]
  const customers = await needs.customers.many(scope, ids)
  return payments.flatMap((payment) => {
    const customer = customers.get(payment.customerId)
    return customer === undefined ? [] : [{ payment, customer }]
  })
}
