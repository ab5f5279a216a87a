import { refuse } from '../../faults.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer, WantedCustomer } from '../../rules/commerce/catalog/customer.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'

export interface CreateCustomer {
  readonly customers: Customers
  readonly newId: NewId
}

/** Always makes a new customer, since several may have the same e-mail. [resources#customers] */
export async function createCustomer(
  { customers, newId }: CreateCustomer,
  scope: Scope,
  { wanted, at }: { readonly wanted: WantedCustomer; readonly at: Instant },
): Promise<Customer> {
  refuse(metadataRejection(wanted.metadata))

  const customer: Customer = {
    ...wanted,
    customerId: newId('cus'),
    createdAt: at,
    updatedAt: at,
  }
  await customers.insert(scope, customer)
  return customer
}
