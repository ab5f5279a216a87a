import { orNotFound } from '../../faults.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { RefundFilter, Refunds } from '../../parts/store/refunds.ts'
import type { Page, Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { Refund } from '../../rules/commerce/refunds/refund.ts'

export interface ReadRefundsNeeds {
  readonly customers: Customers
  readonly refunds: Refunds
}

export interface ReadRefund {
  readonly refund: Refund
  readonly customer: Customer
}

/** 404 for an unknown refund. [resources#refunds] */
export async function readRefund(
  needs: ReadRefundsNeeds,
  scope: Scope,
  refundId: string,
): Promise<ReadRefund> {
  const refund = orNotFound(await needs.refunds.get(scope, refundId), 'refund', refundId)
  const customer = await needs.customers.get(scope, refund.customerId)
  return { refund, customer: orNotFound(customer, 'customer', refund.customerId) }
}

/** Newest first. [resources#refunds] */
export const listRefunds = (
  { refunds }: ReadRefundsNeeds,
  scope: Scope,
  { filter, page }: { readonly filter: RefundFilter; readonly page: Page },
): Promise<readonly Refund[]> => refunds.list(scope, filter, page)
