import type { Statement } from '../../src/parts/store/postgres/connection/sql.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import type { Copies } from './copies.ts'

/** A subscriber by the ids of what it has, and the credits that it is subscribed to. */
export interface Person {
  readonly customer: string
  readonly credit: string
  readonly subscription: string
}

/** The customer of a copy, in SQL. */
export const customer = sql`'cus_' || lpad(n::text, 21, 'k')`

/** The customer of the copy `n`. */
export const copiedCustomer = (n: number): string => `cus_${`${n}`.padStart(21, 'k')}`

/** The rows of the person's account. */
export const accountOf = ({ credit, customer: of }: Omit<Person, 'subscription'>): Statement =>
  sql`account_id = (
    select account_id from accounts where (customer_id, entitlement_id) = (${of}, ${credit}))`

/**
 * So many more people like one, each with a subscription and credits; of a thousand subscriptions
 * one is cancelled.
 */
export function peopleOf(
  person: Person,
  numbers: Pick<Copies, 'from' | 'count'>,
): readonly Copies[] {
  return [
    {
      table: sql`customers`,
      of: sql`customer_id = ${person.customer}`,
      ...numbers,
      differs: sql`jsonb_build_object('customer_id', ${customer},
        'name', 'Customer number ' || n, 'email', 'customer-' || n || '@example.com')`,
    },
    {
      table: sql`subscriptions`,
      of: sql`subscription_id = ${person.subscription}`,
      ...numbers,
      differs: sql`jsonb_build_object('customer_id', ${customer},
        'subscription_id', 'sub_' || lpad(n::text, 21, 'k'),
        'status', case when n % 1000 = 0 then 'cancelled' else 'active' end)`,
    },
    {
      table: sql`accounts`,
      of: accountOf(person),
      ...numbers,
      differs: sql`jsonb_build_object('customer_id', ${customer}, 'account_id', 'acc-' || n)`,
    },
    {
      table: sql`grants`,
      of: accountOf(person),
      ...numbers,
      differs: sql`jsonb_build_object('account_id', 'acc-' || n,
        'grant_id', 'cgr_' || lpad(n::text, 21, 'k'))`,
    },
  ]
}
