import type { MeterLink } from '../../../../rules/commerce/catalog/credit-entitlement.ts'

/** An entitlement's default link inside its jsonb column. */
export interface StoredLink {
  readonly meter_id: string
  readonly meter_units_per_credit: string
  readonly free_threshold: number | null
}

export const storedLink = (link: MeterLink): StoredLink => ({
  meter_id: link.meterId,
  meter_units_per_credit: link.meterUnitsPerCredit,
  free_threshold: link.freeThreshold,
})

export const meterLinkOf = (stored: StoredLink): MeterLink => ({
  meterId: stored.meter_id,
  meterUnitsPerCredit: stored.meter_units_per_credit,
  freeThreshold: stored.free_threshold,
})
