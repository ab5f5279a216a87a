import type { Customer, CustomerChanges } from '../../../../rules/commerce/catalog/customer.ts'
import type { CatalogMetadata } from '../../../../rules/commerce/catalog/metadata.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { CustomerFilter, Customers } from '../../customers.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { joined, sql } from '../connection/sql.ts'

export function customers(db: Db): Customers {
  return { insert, get, many, newestWith, list, update, existing }

  async function insert({ businessId, mode }: Scope, customer: Customer): Promise<void> {
    await db.query(sql`
      insert into customers (
        business_id, mode, customer_id, email, name, phone_number, metadata, created_at, updated_at
      ) values (
        ${businessId}, ${mode}, ${customer.customerId}, ${customer.email}, ${customer.name},
        ${customer.phoneNumber}, ${JSON.stringify(customer.metadata)}::jsonb,
        ${timestamptz(customer.createdAt)}, ${timestamptz(customer.updatedAt)}
      )`)
  }

  async function get(scope: Scope, customerId: string): Promise<Customer | null> {
    return (await many(scope, [customerId])).get(customerId) ?? null
  }

  async function many(
    { businessId, mode }: Scope,
    customerIds: readonly string[],
  ): Promise<ReadonlyMap<string, Customer>> {
    if (customerIds.length === 0) return new Map()
    const rows = await db.query<Row>(sql`
      select ${columns} from customers
      where business_id = ${businessId} and mode = ${mode}
      and customer_id = any(${customerIds}::text[])`)
    return new Map(rows.map((row) => [row.customer_id, customerOf(row)]))
  }

  async function newestWith({ businessId, mode }: Scope, email: string): Promise<Customer | null> {
    const [row] = await db.query<Row>(sql`
      select ${columns} from customers
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
    const rows = await db.query<Row>(sql`
      select ${columns} from customers
      where ${joined(conditions, ' and ')}
      order by created_at desc, customer_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(customerOf)
  }

  async function update(
    { businessId, mode }: Scope,
    customerId: string,
    { changes, at }: { readonly changes: CustomerChanges; readonly at: Instant },
  ): Promise<Customer | null> {
    const { email, name, phoneNumber } = changes
    const metadata = changes.metadata === null ? null : JSON.stringify(changes.metadata)
    const [row] = await db.query<Row>(sql`
      update customers set
        email = coalesce(${email}, email),
        name = coalesce(${name}, name),
        phone_number = case when ${phoneNumber !== undefined}::boolean
          then ${phoneNumber ?? null} else phone_number end,
        metadata = coalesce(${metadata}::jsonb, metadata),
        updated_at = greatest(${timestamptz(at)}::timestamptz, updated_at)
      where business_id = ${businessId} and mode = ${mode} and customer_id = ${customerId}
      returning ${columns}`)
    return row === undefined ? null : customerOf(row)
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

interface Row {
  readonly customer_id: string
  readonly email: string
  readonly name: string
  readonly phone_number: string | null
  readonly metadata: CatalogMetadata
  readonly created_at: Instant
  readonly updated_at: Instant
}

const columns = sql`customer_id, email, name, phone_number, metadata, created_at, updated_at`

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

const customerOf = (row: Row): Customer => ({
  customerId: row.customer_id,
  email: row.email,
  name: row.name,
  phoneNumber: row.phone_number,
  metadata: row.metadata,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
