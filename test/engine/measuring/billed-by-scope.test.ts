import { describe, expect, it } from 'vitest'
import { billedByScope } from '../../../src/engine/measuring/billed-by-scope.ts'
import { verdict } from '../../../src/engine/measuring/first-of-id.ts'

const group = (businessId: string, mode: 'test' | 'live') => ({
  businessId,
  mode,
  customerId: 'cus_1',
  meterId: 'mtr_1',
  aggregation: 'count' as const,
})

/** Rows by their event and their group. */
const resultOf = (events: number, rows: readonly (readonly [number, number])[]) => ({
  events,
  groups: [group('bus_a', 'test'), group('bus_a', 'live'), group('bus_b', 'test')],
  rows: {
    count: rows.length,
    event: Uint32Array.from(rows, ([event]) => event),
    group: Uint32Array.from(rows, ([, of]) => of),
    timestamp: new Float64Array(rows.length),
    quantity: new Float64Array(rows.length),
    exact: new Map(),
    eventIds: new Map(),
    backfilledAt: new Map(),
  },
})

const slice = (...verdicts: number[]) => ({ verdicts: Uint8Array.from(verdicts) })

describe('whose events became usage', () => {
  it('is told apart by business and mode, each event once, over slices', () => {
    const { billed, duplicate, unmatched } = verdict
    const rows = [
      [0, 0],
      [0, 0],
      [1, 1],
      [3, 2],
      [4, 2],
    ] as const
    const slices = [slice(billed, billed, unmatched), slice(billed, duplicate)]
    expect(billedByScope(resultOf(5, rows), [{ first: 0 }, { first: 3 }], slices)).toEqual([
      { businessId: 'bus_a', mode: 'test', events: 1 },
      { businessId: 'bus_a', mode: 'live', events: 1 },
      { businessId: 'bus_b', mode: 'test', events: 1 },
    ])
  })

  it('leaves out slices that another process has', () => {
    const rows = [
      [0, 0],
      [1, 2],
    ] as const
    const of = billedByScope(resultOf(2, rows), [{ first: 1 }], [slice(verdict.billed)])
    expect(of).toEqual([{ businessId: 'bus_b', mode: 'test', events: 1 }])
  })
})
