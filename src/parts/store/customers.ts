import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

export interface Customers {
  get(scope: Scope, customerId: string): Promise<Customer | null>

  /** The customers that exist among these ids, by id. */
  many(scope: Scope, customerIds: readonly string[]): Promise<ReadonlyMap<string, Customer>>

  /** The newest customer with exactly this e-mail. */
  newestWith(scope: Scope, email: string): Promise<Customer | null>

  /** Newest first; every filter that is not null must hold. */
  list(scope: Scope, filter: CustomerFilter, page: Page): Promise<readonly Customer[]>

  /** Which of the ids are customers, as committed at the time of the call; never from a cache. */
  existing(
    businessId: string,
    mode: Mode,
    customerIds: readonly string[],
  ): Promise<ReadonlySet<string>>
}

export interface CustomerFilter {
  /**
   * A part of the e-mail; upper and lower case do not matter, just as for the name.
   * [requests#lists]
   */
  readonly email: string | null
  readonly name: string | null
  readonly createdFrom: Instant | null
  readonly createdTo: Instant | null
}
