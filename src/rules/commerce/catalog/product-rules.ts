import assert from 'node:assert/strict'
import type { CreditEntitlement } from './credit-entitlement.ts'
import { settingsRejection } from './credit-settings.ts'
import { precisionRejection } from './decimals.ts'
import { metersRejection } from './meters-named.ts'
import type { MeterPrice, Price } from './price.ts'
import { metersOf } from './price.ts'
import { priceRejection } from './price-rules.ts'
import type { CreditMapping, ProductParts } from './product.ts'
import { effectiveSettings } from './product.ts'
import { addonsRejection } from './product-addons.ts'
import type { Carried } from './product-change.ts'
import type { Rejection } from './rejection.ts'
import { firstOf, firstOfEach, invalid } from './rejection.ts'

/** A product that is to be stored, and the objects that it names, as far as they exist. */
export interface ProductPlan extends ProductParts {
  readonly price: Price
  readonly mappings: readonly CreditMapping[]
  readonly addonIds: readonly string[]
  readonly carried: Carried
}

/**
 * Why the product must not be: first what is missing, then what is gone, then rules.
 * [requests#refusals]
 */
export function productRejection(plan: ProductPlan): Rejection | null {
  const meters = metersOf(plan.price)
  return firstOf([
    () => firstOfEach(plan.mappings, (mapping) => unknownEntitlement(mapping, plan)),
    () =>
      firstOfEach(plan.mappings, ({ creditEntitlementId: id }) =>
        plan.carried.entitlementIds.has(id) ? null : deletedRejection(id, plan.entitlements),
      ),
    () =>
      metersRejection(meters, plan.meters, {
        where: 'price.meters',
        carried: plan.carried.meterIds,
      }),
    () => addonsRejection(plan),
    () => priceRejection(plan.price),
    () => firstOfEach(plan.mappings, (mapping, index) => mappingRejection(mapping, index, plan)),
    () => firstOfEach(meters, (meter, index) => meterRejection(meter, index, plan)),
  ])
}

function unknownEntitlement(
  { creditEntitlementId: id }: CreditMapping,
  { entitlements }: ProductPlan,
): Rejection | null {
  if (entitlements.has(id)) return null
  return { code: 'NOT_FOUND', problem: `There is no credit entitlement with the id '${id}'.` }
}

/** A deleted entitlement cannot be attached anew. [credits#deleted-entitlements] */
export function deletedRejection(
  id: string,
  entitlements: ReadonlyMap<string, CreditEntitlement>,
): Rejection | null {
  if ((entitlements.get(id)?.deletedAt ?? null) === null) return null
  const problem = `The credit entitlement '${id}' is deleted: undelete it, or name another.`
  return { code: 'CREDIT_ENTITLEMENT_IS_DELETED', problem }
}

function mappingRejection(
  mapping: CreditMapping,
  index: number,
  { mappings, entitlements }: ProductPlan,
): Rejection | null {
  const where = `credit_entitlements[${index}].`
  const id = mapping.creditEntitlementId
  const entitlement = entitlements.get(id)
  assert(entitlement !== undefined)
  if (mappings.findIndex((other) => other.creditEntitlementId === id) !== index) {
    return invalid(`${where}credit_entitlement_id names '${id}' a second time.`)
  }
  const { precision } = entitlement
  return firstOf([
    () => precisionRejection(mapping.creditsAmount, precision, `${where}credits_amount`),
    () => precisionRejection(mapping.trialCredits, precision, `${where}trial_credits`),
    () => precisionRejection(mapping.overageLimit, precision, `${where}overage_limit`),
    () => settingsRejection(effectiveSettings(mapping, entitlement), where),
  ])
}

/**
 * A meter must be tied to credits of the product, or have a price of its own. [resources#prices]
 */
function meterRejection(
  meter: MeterPrice,
  index: number,
  { mappings }: ProductPlan,
): Rejection | null {
  const where = `price.meters[${index}].`
  const id = meter.creditEntitlementId
  if (id === null) {
    if (meter.meterUnitsPerCredit !== null) {
      return invalid(`${where}meter_units_per_credit needs ${where}credit_entitlement_id.`)
    }
    if (meter.pricePerUnit !== null) return null
    return invalid(
      `${where}price_per_unit is required, unless the meter has a credit_entitlement_id.`,
    )
  }
  if (!mappings.some((mapping) => mapping.creditEntitlementId === id)) {
    return invalid(
      `${where}credit_entitlement_id must also be in the product's credit_entitlements.`,
    )
  }
  if (meter.meterUnitsPerCredit !== null) return null
  return invalid(`${where}meter_units_per_credit is required with credit_entitlement_id.`)
}
