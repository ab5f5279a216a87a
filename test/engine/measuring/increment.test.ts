import { describe, expect, it } from 'vitest'
import { incrementOf } from '../../../src/engine/measuring/increment.ts'
import { usage } from '../../../src/rules/meter/route.ts'
import type { UsageDelta } from '../../../src/rules/meter/usage-delta.ts'
import { instantOf } from '../../../src/std/instant.ts'

const { fold, ...delta } = {
  businessId: 'a business',
  mode: 'live',
  customerId: 'a customer',
  routeId: 'a route',
  entitlementId: 'an entitlement',
  meterId: 'a meter',
  cycleAt: instantOf(1),
  segmentAt: instantOf(2),
  logHour: 3,
  aggregation: 'last',
  fold: {
    aggregation: 'last',
    events: 4,
    value: usage(5_500_000_000_000_000_000n),
    last: { at: instantOf(6), received: instantOf(7), eventId: 'an event' },
  },
} satisfies UsageDelta

describe('the part of a batch in a row of usage', () => {
  it('keeps every field of the row, and says the fold in decimals', () => {
    expect(incrementOf({ ...delta, fold })).toEqual({
      ...delta,
      events: 4,
      value: '5.5',
      lastAt: 6,
      lastReceived: 7,
      lastEventId: 'an event',
    })
  })

  it('names no entitlement where usage is tied to money only', () => {
    const counted = { ...fold, last: null }
    const increment = incrementOf({ ...delta, entitlementId: null, fold: counted })
    expect(increment).toMatchObject({ entitlementId: '', lastAt: null, lastEventId: null })
  })
})
