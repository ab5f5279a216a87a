import { orNotFound, refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer, CustomerChanges } from '../../rules/commerce/catalog/customer.ts'
import { changedCustomer } from '../../rules/commerce/catalog/customer.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Instant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface UpdateCustomer extends Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly customers: Pick<Customers, 'get'>
}

/** The customer as it is afterwards. @throws Fault 404, 422 [resources#customers] */
export function updateCustomer(
  needs: UpdateCustomer,
  scope: Scope,
  input: { readonly customerId: string; readonly changes: CustomerChanges; readonly at: Instant },
): Promise<Customer> {
  const { customerId, changes, at } = input
  return untilWritten(needs, 'update_customer', async () => {
    const was = orNotFound(await needs.customers.get(scope, customerId), 'customer', customerId)
    refuse(changes.metadata === null ? null : metadataRejection(changes.metadata))
    const row = changedCustomer(was, changes, at)
    const changed = { noun: 'customer', expected: was, row } as const
    const outcome = await needs.changes.commit(rowAlone(scope, changed))
    return outcome === 'committed' ? row : lost
  })
}
