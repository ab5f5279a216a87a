import { orNotFound } from '../../faults.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'

/**
 * The customer that is meant: an e-mail alone means the newest one with exactly this e-mail. Null:
 * nobody has it. 404 for an unknown id.
 */
export async function knownCustomer(
  customers: Customers,
  scope: Scope,
  customer: { readonly id: string } | { readonly email: string },
): Promise<Customer | null> {
  if (!('id' in customer)) return customers.newestWith(scope, customer.email)
  return orNotFound(await customers.get(scope, customer.id), 'customer', customer.id)
}
