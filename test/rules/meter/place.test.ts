import { describe, expect, it } from 'vitest'
import { countsAt, isArchived } from '../../../src/rules/meter/meter.ts'
import { compareReceipt, isCovered } from '../../../src/rules/meter/place.ts'
import { inActivationOrder } from '../../../src/rules/meter/route.ts'
import { at } from './arbitraries.ts'

const place = { partition: 1, offset: 5, index: 0, receivedAt: at(0) }

describe('places in the log', () => {
  it('are covered by an offset after them, in their own partition', () => {
    expect(isCovered(place, { 1: 6 })).toBe(true)
    expect(isCovered(place, { 1: 5 })).toBe(false)
    expect(isCovered(place, { 2: 6 })).toBe(false)
    expect(isCovered({ ...place, offset: 0 }, {})).toBe(false)
  })

  it('have one order: log time, partition, offset, index', () => {
    const later = [
      { ...place, receivedAt: at(1), partition: 0 },
      { ...place, partition: 2, offset: 0 },
      { ...place, offset: 6 },
      { ...place, index: 1 },
    ]
    for (const other of later) {
      expect(compareReceipt(place, other)).toBeLessThan(0)
      expect(compareReceipt(other, place)).toBeGreaterThan(0)
    }
    expect(compareReceipt(place, { ...place })).toBe(0)
    expect(compareReceipt({ ...place, offset: 9 }, { ...place, partition: 2 })).toBeLessThan(0)
    expect(compareReceipt({ ...place, index: 9 }, { ...place, offset: 6 })).toBeLessThan(0)
  })
})

describe('an archived meter [meters#late-usage]', () => {
  it('counts nothing that is received in any of its archived ranges', () => {
    const archived = [
      { from: at(1), to: at(3) },
      { from: at(5), to: null },
    ]
    const counts = [0, 1, 2, 3, 4, 5, 9].filter((hour) => countsAt({ archived }, at(hour)))
    expect(counts).toEqual([0, 3, 4])
  })

  it('is archived from its archiving on', () => {
    const meter = {
      meterId: 'mtr_1',
      name: 'Calls',
      eventName: 'call',
      filter: null,
      archived: [],
      aggregation: { type: 'count' as const, key: null },
      measurementUnit: 'call',
      description: null,
      createdAt: at(0),
      updatedAt: at(0),
    }
    expect(isArchived({ ...meter, archivedAt: null })).toBe(false)
    expect(isArchived({ ...meter, archivedAt: at(1) })).toBe(true)
  })
})

it('subscriptions of one moment have one order, by their ids [meters#who-takes-the-usage]', () => {
  const route = (routeId: string) => ({ routeId, activatedAt: at(0), ended: null, stretches: [] })
  const all = ['sub_b', 'sub_c', 'sub_a'].map(route)
  for (const list of [all, all.toReversed()]) {
    expect(inActivationOrder(list).map(({ routeId }) => routeId)).toEqual([
      ...['sub_a', 'sub_b', 'sub_c'],
    ])
  }
})
