import { Fault } from '../../faults.ts'
import type { MeterLink } from '../../rules/commerce/catalog/credit-entitlement.ts'
import { plainDecimal } from '../../rules/commerce/catalog/decimals.ts'
import type { MeterLinkBody } from '../../wire/credit-entitlement.ts'

/** Default links as they are kept. [meters#who-takes-the-usage] */
export const meterLinksOf = (
  links: readonly MeterLinkBody[] | null | undefined,
): readonly MeterLink[] =>
  (links ?? []).map((link) => ({
    meterId: link.meter_id,
    meterUnitsPerCredit: plainDecimal(link.meter_units_per_credit),
    freeThreshold: link.free_threshold ?? null,
  }))

/**
 * A deleted entitlement keeps its name, so the caller may not see who has it.
 * [credits#deleted-entitlements]
 */
export const nameTaken = (name: string): Fault =>
  new Fault(
    'CREDIT_ENTITLEMENT_NAME_ALREADY_EXISTS',
    `Another credit entitlement, perhaps a deleted one, is called '${name}': choose another name.`,
  )
