import type { Customer } from '../../../../rules/commerce/catalog/customer.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { CustomerFilter, Customers } from '../../customers.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { joined, sql } from '../connection/sql.ts'
import type { CustomerRow } from './customer-rows.ts'
import { customerColumns, customerOf } from './customer-rows.ts'

export function customers(db: Db): Customers {
  return { get, many, newestWith, list, existing }

  async function get(scope: Scope, customerId: string): Promise<Customer | null> {
    return (await many(scope, [customerId])).get(customerId) ?? null
  }

  async function many(
    { businessId, mode }: Scope,
    customerIds: readonly string[],
  ): Promise<ReadonlyMap<string, Customer>> {
    if (customerIds.length === 0) return new Map()
    const rows = await db.query<CustomerRow>(sql`
      select ${customerColumns} from customers
      where business_id = ${businessId} and mode = ${mode}
      and customer_id = any(${customerIds}::text[])`)
    return new Map(rows.map((row) => [row.customer_id, customerOf(row)]))
  }

  async function newestWith({ businessId, mode }: Scope, email: string): Promise<Customer | null> {
    const [row] = await db.query<CustomerRow>(sql`
      select ${customerColumns} from customers
      where business_id = ${businessId} and mode = ${mode} and email = ${email}
      order by created_at desc, customer_id desc
      limit 1`)
    return row === undefined ? null : customerOf(row)
  }

  async function list(
    { businessId, mode }: Scope,
    filter: CustomerFilter,
    page: Page,
  ): Promise<readonly Customer[]> {
    const conditions = [sql`business_id = ${businessId}`, sql`mode = ${mode}`, ...matching(filter)]
    const rows = await db.query<CustomerRow>(sql`
      select ${customerColumns} from customers
      where ${joined(conditions, ' and ')}
      order by created_at desc, customer_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(customerOf)
  }

  async function existing(
    businessId: string,
    mode: Mode,
    customerIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    // PostgreSQL has no U+0000 in texts and would refuse the whole query; no customer has such an
    // id.
    const ids = customerIds.filter((id) => !id.includes('\0'))
    if (ids.length === 0) return new Set()
    const rows = await db.query<{ customer_id: string }>(sql`
      select customer_id from customers
      where business_id = ${businessId} and mode = ${mode} and customer_id = any(${ids}::text[])`)
    return new Set(rows.map((row) => row.customer_id))
  }
}

function matching(filter: CustomerFilter): readonly Statement[] {
  const { email, name, createdFrom, createdTo } = filter
  return [
    ...(email === null ? [] : [holding(sql`email`, email)]),
    ...(name === null ? [] : [holding(sql`name`, name)]),
    ...(createdFrom === null ? [] : [sql`created_at >= ${timestamptz(createdFrom)}`]),
    ...(createdTo === null ? [] : [sql`created_at <= ${timestamptz(createdTo)}`]),
  ]
}

// The root collation folds the case of all alphabets; the database's own may know ASCII only.
const holding = (column: Statement, part: string): Statement =>
  sql`strpos(
    lower(${column} collate "und-x-icu"), lower(${part}::text collate "und-x-icu")
  ) > 0`
