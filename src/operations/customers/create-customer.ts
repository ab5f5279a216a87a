import { refuse } from '../../faults.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { CustomerCreate } from '../../wire/customer.ts'

export interface CreateCustomer {
  readonly customers: Customers
  readonly newId: NewId
}

/** Always a new customer: an e-mail may belong to several. [resources#customers] */
export async function createCustomer(
  { customers, newId }: CreateCustomer,
  scope: Scope,
  { body, at }: { readonly body: CustomerCreate; readonly at: Instant },
): Promise<Customer> {
  const metadata = body.metadata ?? {}
  refuse(metadataRejection(metadata))

  const customer: Customer = {
    customerId: newId('cus'),
    email: body.email,
    name: body.name,
    phoneNumber: body.phone_number ?? null,
    metadata,
    createdAt: at,
    updatedAt: at,
  }
  await customers.insert(scope, customer)
  return customer
}
