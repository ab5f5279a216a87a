import type { Instant } from '../../../../std/instant.ts'
import type { Business } from '../../businesses.ts'
import { timestamptz } from '../connection/client.ts'

/** A business as the database has it. */
export interface BusinessRow {
  readonly business_id: string
  readonly name: string
  readonly rate_tier: string
  readonly created_at: Instant
}

export const businessOf = (row: BusinessRow): Business => ({
  businessId: row.business_id,
  name: row.name,
  rateTier: row.rate_tier,
  createdAt: row.created_at,
})

/** As write_businesses() takes it. */
export const businessRow = (business: Business): object => ({
  business_id: business.businessId,
  name: business.name,
  rate_tier: business.rateTier,
  created_at: timestamptz(business.createdAt),
})
