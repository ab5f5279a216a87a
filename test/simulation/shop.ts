import type { CatalogSnapshot } from '../../src/parts/store/meters.ts'
import type { CustomerKey, Scope } from '../../src/parts/store/scope.ts'
import type { AccountEntitlement, AccountKey } from '../../src/rules/accounts/view.ts'
import type { CatalogMeter } from '../../src/rules/meter/measure-types.ts'
import type { Link } from '../../src/rules/meter/route.ts'
import { relinked, usage } from '../../src/rules/meter/route.ts'
import { powerOfTen } from '../../src/std/decimal.ts'
import { instantOf } from '../../src/std/instant.ts'

/** Two businesses that sell the same, to customers of the same names, with the same event ids. */
export const scopes: readonly Scope[] = [
  { businessId: 'bus_one', mode: 'test' },
  { businessId: 'bus_two', mode: 'test' },
]

/** The one that is in the other's way, where there is such a one. */
export const greedyScope: Scope = { businessId: 'bus_two', mode: 'test' }

export const customers: readonly CustomerKey[] = scopes.flatMap((scope) =>
  ['cus_a', 'cus_b', 'cus_c'].map((customerId) => ({ ...scope, customerId })),
)

const meter = (meterId: string, eventName: string, aggregation: CatalogMeter['aggregation']) => ({
  meterId,
  eventName,
  aggregation,
  aggregationKey: aggregation === 'count' ? null : 'size',
  filter: null,
  archived: [],
})

export const meters: readonly CatalogMeter[] = [
  meter('mtr_calls', 'call', 'count'),
  meter('mtr_bytes', 'call', 'sum'),
  meter('mtr_peak', 'seats', 'max'),
  meter('mtr_seats', 'seats', 'last'),
]

/** The last one is of no meter. */
export const eventNames = ['call', 'call', 'seats', 'other'] as const

export const entitlementId = 'cde_credits'
export const precision = 2

/** Credits a unit: a third of what is used is lost to rounding, unless it is kept in the fold. */
export const unitsPerCredit = 3n * powerOfTen(18)

export const links: readonly Link[] = meters.map(({ meterId }) => ({
  meterId,
  entitlementId,
  unitsPerCredit,
  freeThreshold: usage(0n),
  pricePerUnit: null,
}))

const stretches = relinked([], links, instantOf(0))

export const lowBalanceThreshold = 20

export const entitlement: AccountEntitlement = {
  name: 'Credits',
  unit: 'credit',
  description: null,
  precision,
  expiresAfterDays: null,
  rolloverEnabled: false,
  rolloverPercentage: null,
  rolloverTimeframeCount: null,
  rolloverTimeframeInterval: null,
  maxRolloverCount: null,
  overageEnabled: true,
  overageBehavior: 'forgive_at_reset',
  overageLimit: '15',
  pricePerUnit: '1',
  currency: 'USD',
  deleted: false,
  lowBalanceThreshold: String(lowBalanceThreshold),
  stretches,
}

export const accountKeys: readonly AccountKey[] = customers.map((key) => ({
  ...key,
  entitlementId,
}))

export const snapshotOf = (scope: Scope, version: number): CatalogSnapshot => ({
  catalog: { ...scope, version, meters },
  links: [{ entitlementId, stretches }],
})

export const webhookId = 'whk_one'
