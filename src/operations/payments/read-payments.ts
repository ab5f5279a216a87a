import { orNotFound } from '../../faults.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Disputes } from '../../parts/store/disputes.ts'
import type { EntitlementGrants } from '../../parts/store/entitlement-grants.ts'
import type { Invoices } from '../../parts/store/invoices.ts'
import type { LicenseKeys } from '../../parts/store/license-keys.ts'
import type { PaymentFilter, Payments } from '../../parts/store/payments.ts'
import type { Refunds } from '../../parts/store/refunds.ts'
import type { Page, Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { Dispute } from '../../rules/commerce/disputes/dispute.ts'
import { hasDeliveredFiles } from '../../rules/commerce/entitlements/entitlement-grant.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Refund } from '../../rules/commerce/refunds/refund.ts'

export interface ReadPaymentsNeeds {
  readonly customers: Customers
  readonly entitlementGrants: Pick<EntitlementGrants, 'broughtBy'>
  readonly invoices: Pick<Invoices, 'numbers'>
  readonly licenseKeys: Pick<LicenseKeys, 'broughtBy'>
  readonly payments: Payments
  readonly refunds: Refunds
  readonly disputes: Disputes
}

export interface ReadPayment {
  readonly payment: Payment
  readonly customer: Customer
  /** Null: no invoice was issued. */
  readonly invoiceNumber: number | null
  /** Whether it brought files that were delivered. */
  readonly hasDeliveredFiles: boolean
}

/** A payment with everything that has become of it since. */
export interface WholePayment extends ReadPayment {
  readonly refunds: readonly Refund[]
  readonly disputes: readonly Dispute[]
}

/** 404 for an unknown payment. [resources#payments] */
export async function readPayment(
  needs: ReadPaymentsNeeds,
  scope: Scope,
  paymentId: string,
): Promise<WholePayment> {
  const found = await needs.payments.get(scope, paymentId)
  const payment = orNotFound(found, 'payment', paymentId)
  const customer = await needs.customers.get(scope, payment.customerId)
  const numbers = await needs.invoices.numbers(scope, 'payment', [paymentId])
  return {
    payment,
    customer: orNotFound(customer, 'customer', payment.customerId),
    invoiceNumber: numbers.get(paymentId) ?? null,
    hasDeliveredFiles: (await withFiles(needs, scope, [paymentId])).has(paymentId),
    refunds: await needs.refunds.ofPayment(scope, paymentId),
    disputes: await needs.disputes.ofPayment(scope, paymentId),
  }
}

export interface ListedPayment extends ReadPayment {
  readonly hasLicenseKey: boolean
}

/** Newest first. [resources#payments] */
export async function listPayments(
  needs: ReadPaymentsNeeds,
  scope: Scope,
  { filter, page }: { readonly filter: PaymentFilter; readonly page: Page },
): Promise<readonly ListedPayment[]> {
  const payments = await needs.payments.list(scope, filter, page)
  const ids = [...new Set(payments.map(({ customerId }) => customerId))]
  const customers = await needs.customers.many(scope, ids)
  const paymentIds = payments.map(({ paymentId }) => paymentId)
  const numbers = await needs.invoices.numbers(scope, 'payment', paymentIds)
  const keys = await needs.licenseKeys.broughtBy(scope, { paymentIds, subscriptionIds: [] })
  const licensed = new Set(keys.map(({ paymentId }) => paymentId))
  const delivered = await withFiles(needs, scope, paymentIds)
  return payments.flatMap((payment) => {
    const { customerId, paymentId } = payment
    const customer = customers.get(customerId)
    if (customer === undefined) return []
    return [
      {
        payment,
        customer,
        invoiceNumber: numbers.get(paymentId) ?? null,
        hasDeliveredFiles: delivered.has(paymentId),
        hasLicenseKey: licensed.has(paymentId),
      },
    ]
  })
}

/** Those of the payments that have brought files. [entitlements#downloads] */
async function withFiles(
  { entitlementGrants }: Pick<ReadPaymentsNeeds, 'entitlementGrants'>,
  scope: Scope,
  paymentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const grants = await entitlementGrants.broughtBy(scope, { paymentIds, subscriptionIds: [] })
  return new Set(grants.filter(hasDeliveredFiles).flatMap(({ paymentId }) => paymentId ?? []))
}
