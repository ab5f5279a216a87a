import assert from 'node:assert/strict'
import { notFound, orNotFound } from '../../faults.ts'
import type { Changes, RowChange } from '../../parts/store/changes.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Discounts } from '../../parts/store/discounts.ts'
import type { Page, Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { Instant } from '../../std/instant.ts'

export interface DiscountCustomersNeeds {
  readonly changes: Pick<Changes, 'commit'>
  readonly customers: Pick<Customers, 'existing'>
  readonly discounts: Pick<Discounts, 'attached' | 'customers' | 'get'>
}

/** 404 for no such discount. [resources#discounts] */
export async function customersOfDiscount(
  { discounts }: DiscountCustomersNeeds,
  scope: Scope,
  { id, page }: { readonly id: string; readonly page: Page },
): Promise<readonly Customer[]> {
  orNotFound(await discounts.get(scope, id), 'discount', id)
  return discounts.customers(scope, id, page)
}

interface Attaching {
  readonly id: string
  readonly customerIds: readonly string[]
  readonly at: Instant
}

/** Those that are attached stay so. 404, and nobody is attached, where one does not exist. */
export async function attachCustomers(
  needs: DiscountCustomersNeeds,
  scope: Scope,
  { id, customerIds, at }: Attaching,
): Promise<void> {
  orNotFound(await needs.discounts.get(scope, id), 'discount', id)
  const known = await needs.customers.existing(scope.businessId, scope.mode, customerIds)
  const unknown = customerIds.find((customerId) => !known.has(customerId))
  if (unknown !== undefined) throw notFound('customer', unknown)
  await commit(
    needs,
    scope,
    [...known].map((customerId) => {
      const row = { discountId: id, customerId, attachedAt: at }
      return { noun: 'discount_customer', expected: null, row }
    }),
  )
}

/** 404 for no such discount, and for a customer who is not attached to it. */
export async function detachCustomer(
  needs: DiscountCustomersNeeds,
  scope: Scope,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<void> {
  orNotFound(await needs.discounts.get(scope, id), 'discount', id)
  const found = await needs.discounts.attached(scope, id, customerId)
  const row = orNotFound(found, 'attached customer', customerId)
  await commit(needs, scope, [{ noun: 'discount_customer', expected: row, row }])
}

async function commit(
  { changes }: DiscountCustomersNeeds,
  scope: Scope,
  rows: readonly RowChange[],
): Promise<void> {
  const outcome = await changes.commit({ scope, clockAhead: null, rows, accounts: [], facts: [] })
  assert(outcome === 'committed', 'Customers of a discount have moved.')
}
