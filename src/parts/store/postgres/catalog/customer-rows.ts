import type { Customer } from '../../../../rules/commerce/catalog/customer.ts'
import type { CatalogMetadata } from '../../../../rules/commerce/catalog/metadata.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A customer as the database has it. */
export interface CustomerRow {
  readonly customer_id: string
  readonly email: string
  readonly name: string
  readonly phone_number: string | null
  readonly metadata: CatalogMetadata
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const customerColumns = sql`customer_id, email, name, phone_number, metadata, created_at, updated_at`

export const customerOf = (row: CustomerRow): Customer => ({
  customerId: row.customer_id,
  email: row.email,
  name: row.name,
  phoneNumber: row.phone_number,
  metadata: row.metadata,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_customers() takes it. */
export const customerRow = (scope: Scope, customer: Customer): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  customer_id: customer.customerId,
  email: customer.email,
  name: customer.name,
  phone_number: customer.phoneNumber,
  metadata: customer.metadata,
  created_at: timestamptz(customer.createdAt),
  updated_at: timestamptz(customer.updatedAt),
})
