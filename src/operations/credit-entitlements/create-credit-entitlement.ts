import { refuse } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { CreditEntitlement } from '../../rules/commerce/catalog/credit-entitlement.ts'
import { entitlementRejection, withLinks } from '../../rules/commerce/catalog/credit-entitlement.ts'
import { plainDecimalOrNull } from '../../rules/commerce/catalog/decimals.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { CreditEntitlementCreate } from '../../wire/credit-entitlement.ts'
import { meterLinksOf, nameTaken } from './fields.ts'

export interface CreateCreditEntitlement {
  readonly creditEntitlements: CreditEntitlements
  readonly meters: Meters
  readonly newId: NewId
}

/**
 * 410 or 422 for meters that it cannot link, 422 by [resources#credit-entitlements], 409 for a name
 * in use.
 */
export async function createCreditEntitlement(
  { creditEntitlements, meters, newId }: CreateCreditEntitlement,
  scope: Scope,
  { body, at }: { readonly body: CreditEntitlementCreate; readonly at: Instant },
): Promise<CreditEntitlement> {
  const unlinked: CreditEntitlement = {
    creditEntitlementId: newId('cde'),
    name: body.name,
    description: body.description ?? null,
    unit: body.unit,
    precision: body.precision,
    expiresAfterDays: body.expires_after_days ?? null,
    rolloverEnabled: body.rollover_enabled,
    rolloverPercentage: body.rollover_percentage ?? null,
    rolloverTimeframeCount: body.rollover_timeframe_count ?? null,
    rolloverTimeframeInterval: body.rollover_timeframe_interval ?? null,
    maxRolloverCount: body.max_rollover_count ?? null,
    overageEnabled: body.overage_enabled,
    overageBehavior: body.overage_behavior ?? 'forgive_at_reset',
    overageLimit: plainDecimalOrNull(body.overage_limit?.toString()),
    pricePerUnit: plainDecimalOrNull(body.price_per_unit),
    currency: body.currency ?? null,
    lowBalanceThreshold: plainDecimalOrNull(body.low_balance_threshold),
    meterLinks: [],
    stretches: [],
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  const meterLinks = meterLinksOf(body.meter_links)
  const entitlement = withLinks(unlinked, meterLinks, at)
  const linked = await meters.many(
    scope,
    meterLinks.map((link) => link.meterId),
  )
  refuse(entitlementRejection(entitlement, meterLinks, linked))

  const outcome = await creditEntitlements.insert(scope, entitlement)
  if (outcome === 'name_taken') throw nameTaken(entitlement.name)
  return entitlement
}
