import { refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer, WantedCustomer } from '../../rules/commerce/catalog/customer.ts'
import { newCustomer } from '../../rules/commerce/catalog/customer.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { writeNewRow } from '../accounts/new-row.ts'

export interface CreateCustomer {
  readonly changes: Pick<Changes, 'commit'>
  readonly newId: NewId
}

/** Always makes a new customer, since several may have the same e-mail. [resources#customers] */
export async function createCustomer(
  { changes, newId }: CreateCustomer,
  scope: Scope,
  { wanted, at }: { readonly wanted: WantedCustomer; readonly at: Instant },
): Promise<Customer> {
  refuse(metadataRejection(wanted.metadata))

  const customer = newCustomer(newId('cus'), wanted, at)
  await writeNewRow(changes, scope, { noun: 'customer', expected: null, row: customer })
  return customer
}
