import { orNotFound, refuse } from '../../faults.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer, CustomerChanges } from '../../rules/commerce/catalog/customer.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Instant } from '../../std/instant.ts'

/**
 * Fields do not depend on each other, so one blind write is enough; null clears what may be empty.
 */
export async function updateCustomer(
  customers: Customers,
  scope: Scope,
  change: { readonly customerId: string; readonly changes: CustomerChanges; readonly at: Instant },
): Promise<Customer> {
  const { customerId, changes, at } = change
  const { metadata } = changes
  const rejection = metadata === null ? null : metadataRejection(metadata)
  if (rejection !== null) {
    // An unknown customer is refused before the body is judged. [requests#refusals]
    orNotFound(await customers.get(scope, customerId), 'customer', customerId)
    refuse(rejection)
  }

  const customer = orNotFound(
    await customers.update(scope, customerId, { changes, at }),
    'customer',
    customerId,
  )
  return customer
}
