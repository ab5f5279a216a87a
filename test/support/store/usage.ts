import type { AccountKey } from '../../../src/rules/accounts/view.ts'
import type { Increment } from './scratch-store.ts'
import { january } from './scratch-store.ts'

/** One event's usage of `mtr_calls` in January through an entitlement's default link. */
export const incrementOf = (key: AccountKey, parts: Partial<Increment> = {}): Increment => ({
  businessId: key.businessId,
  mode: key.mode,
  customerId: key.customerId,
  routeId: key.entitlementId,
  entitlementId: key.entitlementId,
  meterId: 'mtr_calls',
  cycleAt: january,
  segmentAt: january,
  logHour: 0,
  aggregation: 'sum',
  events: 1,
  value: '1',
  lastAt: null,
  lastReceived: null,
  lastEventId: null,
  ...parts,
})
