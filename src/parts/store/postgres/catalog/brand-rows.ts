import type { Brand } from '../../../../rules/commerce/catalog/brand.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A brand as the database has it. */
export interface BrandRow {
  readonly brand_id: string
  readonly name: string | null
  readonly description: string | null
  readonly url: string | null
  readonly support_email: string | null
  readonly statement_descriptor: string | null
  readonly image_id: string | null
  readonly archived_at: Instant | null
  readonly moved_to: string | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const brandColumns = sql`
  brand_id, name, description, url, support_email, statement_descriptor, image_id, archived_at,
  moved_to, created_at, updated_at`

export const brandOf = (row: BrandRow): Brand => ({
  brandId: row.brand_id,
  name: row.name,
  description: row.description,
  url: row.url,
  supportEmail: row.support_email,
  statementDescriptor: row.statement_descriptor,
  imageId: row.image_id,
  archived: row.archived_at === null ? null : { at: row.archived_at, movedTo: row.moved_to },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_brands() takes it. */
export const brandRow = (scope: Scope, brand: Brand): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  brand_id: brand.brandId,
  name: brand.name,
  description: brand.description,
  url: brand.url,
  support_email: brand.supportEmail,
  statement_descriptor: brand.statementDescriptor,
  image_id: brand.imageId,
  archived_at: timestamptz(brand.archived?.at ?? null),
  moved_to: brand.archived?.movedTo ?? null,
  created_at: timestamptz(brand.createdAt),
  updated_at: timestamptz(brand.updatedAt),
})
