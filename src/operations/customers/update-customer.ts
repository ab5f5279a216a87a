import { orNotFound, refuse } from '../../faults.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Instant } from '../../std/instant.ts'
import type { CustomerUpdate } from '../../wire/customer.ts'

/** Each field stands for itself, so one blind write is enough: nothing is read before it. */
export async function updateCustomer(
  customers: Customers,
  scope: Scope,
  change: { readonly customerId: string; readonly body: CustomerUpdate; readonly at: Instant },
): Promise<Customer> {
  const { customerId, body, at } = change
  const metadata = body.metadata ?? null
  if (metadata !== null) refuse(metadataRejection(metadata))

  const changes = {
    email: body.email ?? null,
    name: body.name ?? null,
    phoneNumber: body.phone_number,
    metadata,
  }
  const customer = orNotFound(
    await customers.update(scope, customerId, { changes, at }),
    'customer',
    customerId,
  )
  return customer
}
