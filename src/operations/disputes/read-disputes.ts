import { orNotFound } from '../../faults.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Disputes } from '../../parts/store/disputes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { Dispute } from '../../rules/commerce/disputes/dispute.ts'

export interface ReadDisputesNeeds {
  readonly customers: Customers
  readonly disputes: Disputes
}

/** 404 for an unknown dispute. [resources#disputes] */
export async function readDispute(
  needs: ReadDisputesNeeds,
  scope: Scope,
  disputeId: string,
): Promise<{ readonly dispute: Dispute; readonly customer: Customer }> {
  const dispute = orNotFound(await needs.disputes.get(scope, disputeId), 'dispute', disputeId)
  const customer = await needs.customers.get(scope, dispute.customerId)
  return { dispute, customer: orNotFound(customer, 'customer', dispute.customerId) }
}
