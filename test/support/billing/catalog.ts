import { rowAlone } from '../../../src/parts/store/changes.ts'
import type { Meters } from '../../../src/parts/store/meters.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type {
  CreditEntitlement,
  EntitlementChange,
  MeterLink,
} from '../../../src/rules/commerce/catalog/credit-entitlement.ts'
import { withLinks } from '../../../src/rules/commerce/catalog/credit-entitlement.ts'
import type { CreditMapping, Product } from '../../../src/rules/commerce/catalog/product.ts'
import { noLicense } from '../../../src/rules/commerce/catalog/product-license.ts'
import type { NewId } from '../../../src/std/id.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { instantOf } from '../../../src/std/instant.ts'
import type {
  Call,
  MeterName,
  Plan,
  PlanCredits,
  Program,
  Rates,
  Settings,
} from '../../model/billing/program.ts'
import type { Shelf } from './shelf.ts'

/** A catalog without anything special, and nothing that happens in it. */
export const plainProgram: Program = {
  entitlement: {
    expiresAfterDays: null,
    rollover: false,
    percentage: null,
    timeframeDays: null,
    countMax: null,
    overage: false,
    limit: null,
    behavior: 'forgive_at_reset',
  },
  defaults: { a: null, b: null },
  aggregations: { a: 'sum', b: 'sum' },
  plans: [],
  steps: [],
}

export const meterIds: Readonly<Record<MeterName, string>> = { a: 'mtr_a', b: 'mtr_b' }
const names: readonly MeterName[] = ['a', 'b']

/** A moment of a program, which counts in seconds. */
export const microseconds = (seconds: number): Instant => instantOf(seconds * 1_000_000)

/** The id of a program's event, which has a number. */
export const eventIdOf = (event: number): string => `evt_${String(event).padStart(6, '0')}`

/** Tenths of a credit, or of a unit, as plain decimal text. */
export const text = (tenths: number): string =>
  tenths % 10 === 0 ? String(tenths / 10) : `${Math.trunc(tenths / 10)}.${tenths % 10}`

export function entitlementFor(
  creditEntitlementId: string,
  { entitlement, defaults }: Program,
  at: Instant,
): CreditEntitlement {
  const bare: CreditEntitlement = {
    creditEntitlementId,
    name: creditEntitlementId,
    description: null,
    unit: 'credit',
    precision: 1,
    lowBalanceThreshold: null,
    meterLinks: [],
    stretches: [],
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
    pricePerUnit: '5',
    currency: 'USD' as const,
    expiresAfterDays: entitlement.expiresAfterDays,
    rolloverEnabled: entitlement.rollover,
    rolloverPercentage: entitlement.percentage,
    rolloverTimeframeCount: entitlement.timeframeDays,
    rolloverTimeframeInterval: entitlement.timeframeDays === null ? null : 'Day',
    maxRolloverCount: entitlement.countMax,
    overageEnabled: entitlement.overage,
    overageBehavior: entitlement.behavior,
    overageLimit: entitlement.limit === null ? null : String(entitlement.limit),
  }
  return withLinks(bare, linksOf(defaults), at)
}

const linksOf = (rates: Rates): readonly MeterLink[] =>
  tied(rates).map(([meterId, { perTenCredits, free }]) => ({
    meterId,
    meterUnitsPerCredit: text(perTenCredits),
    freeThreshold: free,
  }))

const tied = (rates: Rates) =>
  names.flatMap((name) => {
    const rate = rates[name]
    return rate === null ? [] : [[meterIds[name], rate] as const]
  })

export const entitlementChange = (
  change: Call & { readonly kind: 'reterm' | 'relink' },
): EntitlementChange =>
  change.kind === 'reterm' ? settingsOf(change.settings) : { meterLinks: linksOf(change.rates) }

const settingsOf = (settings: Settings): EntitlementChange => ({
  expiresAfterDays: settings.expiresAfterDays,
  rolloverEnabled: settings.rollover,
  rolloverPercentage: settings.percentage,
  rolloverTimeframeCount: settings.timeframeDays,
  rolloverTimeframeInterval: settings.timeframeDays === null ? null : 'Day',
  maxRolloverCount: settings.countMax,
  overageEnabled: settings.overage,
  overageLimit: settings.limit === null ? null : String(settings.limit),
  overageBehavior: settings.behavior,
})

interface Made {
  readonly entitlementId: string
  readonly newId: NewId
  readonly scope: Scope
}

export function productFor(plan: Plan, made: Made): Product {
  const at = instantOf(0)
  return {
    productId: made.newId('pdt'),
    brandId: made.scope.businessId,
    name: 'Plan',
    description: null,
    taxCategory: 'saas',
    addonIds: [],
    pricingMode: null,
    license: noLicense,
    entitlementIds: [],
    deliveryEntitlementId: null,
    imageId: null,
    collectionId: null,
    metadata: {},
    archivedAt: null,
    createdAt: at,
    updatedAt: at,
    price: {
      type: 'usage_based_price',
      currency: 'USD',
      fixedPrice: 0,
      discount: 0,
      purchasingPowerParity: false,
      taxInclusive: null,
      frequency: { count: plan.cycle.count, interval: plan.cycle.interval },
      period: { count: plan.periodDays, interval: 'Day' },
      meters: tied(plan.rates).map(([meterId, { perTenCredits, free }]) => ({
        meterId,
        creditEntitlementId: made.entitlementId,
        freeThreshold: free,
        meterUnitsPerCredit: text(perTenCredits),
        pricePerUnit: null,
      })),
    },
    creditEntitlements: plan.credits === null ? [] : [mappingFor(plan.credits, made)],
  }
}

function mappingFor(credits: PlanCredits, { entitlementId, newId }: Made): CreditMapping {
  const { overrides } = credits
  return {
    mappingId: newId('cem'),
    creditEntitlementId: entitlementId,
    currency: null,
    lowBalanceThresholdPercent: null,
    pricePerUnit: null,
    creditsAmount: text(credits.amount),
    expiresAfterDays: overrides.expiresAfterDays,
    maxRolloverCount: overrides.countMax,
    overageBehavior: overrides.behavior,
    overageEnabled: overrides.overage,
    overageLimit: overrides.limit === null ? null : String(overrides.limit),
    prorationBehavior: credits.prorates ? 'prorate' : null,
    rolloverEnabled: overrides.rollover,
    rolloverPercentage: overrides.percentage,
    rolloverTimeframeCount: overrides.timeframeDays,
    rolloverTimeframeInterval: overrides.timeframeDays === null ? null : 'Day',
    trialCredits: credits.trialAmount === null ? null : text(credits.trialAmount),
    trialCreditsExpireAfterTrial: credits.trialExpires,
  }
}

/** The meters that links may name: whichever a link asks for exists. */
export const meters: Meters = {
  many: async (_, ids) => new Map(ids.map((meterId) => [meterId, meterOf(meterId)])),
  counted: unused,
  get: unused,
  list: unused,
  catalogOf: unused,
}

const meterOf = (meterId: string) => ({
  meterId,
  name: meterId,
  eventName: 'used',
  filter: null,
  measurementUnit: 'unit',
  aggregation: { type: 'count' as const, key: null },
  description: null,
  archived: [],
  archivedAt: null,
  createdAt: instantOf(0),
  updatedAt: instantOf(0),
})

function unused(): never {
  throw new Error('No program does this.')
}

/** Puts the credit and the products of a program on a shelf. */
export async function stocked(
  { changes, newId, scope }: Shelf,
  { program, at }: { readonly program: Program; readonly at: Instant },
) {
  const row = entitlementFor(newId('cde'), program, at)
  const entitlementId = row.creditEntitlementId
  const credit = { noun: 'credit_entitlement', expected: null, row, over: [] } as const
  await changes.commit(rowAlone(scope, credit))
  const productIds: string[] = []
  for (const plan of program.plans) {
    const product = productFor(plan, { entitlementId, newId, scope })
    await changes.commit(rowAlone(scope, { noun: 'product', expected: null, row: product }))
    productIds.push(product.productId)
  }
  return { entitlementId, productIds }
}
