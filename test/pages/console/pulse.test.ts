import { afterEach, describe, expect, it, vi } from 'vitest'
import { freshnessBetween, readExposition } from '../../../src/pages/console/exposition.ts'
import { openPulse } from '../../../src/pages/console/pulse.ts'
import { scopeCounts } from '../../../src/runtime/scope-counts.ts'
import { instantOf, millisecond } from '../../../src/std/instant.ts'

const scrape = (counts: readonly number[], billed: number) =>
  [
    '# HELP sluice_billing_events_total Events.',
    `sluice_billing_events_total{result="billed"} ${billed}`,
    'sluice_billing_events_total{result="unmatched"} 5',
    'sluice_log_lag_events{partition="0"} 2',
    'sluice_log_lag_events{partition="1"} 3',
    'sluice_unaccounted_events 0',
    `sluice_billing_freshness_seconds_bucket{le="0.1"} ${counts[0]}`,
    `sluice_billing_freshness_seconds_bucket{le="1"} ${counts[1]}`,
    `sluice_billing_freshness_seconds_bucket{le="+Inf"} ${counts[2]}`,
    'sluice_billing_freshness_seconds_sum 12',
  ].join('\n')

describe('what a scrape says', () => {
  it('adds up events and lag over their labels', () => {
    const { freshness, ...rest } = readExposition(scrape([0, 0, 0], 10))
    expect(rest).toEqual({ lag: 5, unaccounted: 0 })
    expect(freshness.map(({ seconds }) => seconds)).toEqual([0.1, 1, Number.POSITIVE_INFINITY])
    expect(readExposition('').unaccounted).toBeNull()
  })

  it('tells how fresh what came between two of them was, and nothing where nothing came', () => {
    const [before, after] = [scrape([10, 20, 20], 0), scrape([60, 119, 120], 0)].map(readExposition)
    if (before === undefined || after === undefined) throw new Error('two scrapes')
    expect(freshnessBetween(before, before, 0.5)).toBeNull()
    expect(freshnessBetween(before, after, 0.5)).toBeCloseTo(0.1)
    expect(freshnessBetween(before, after, 0.25)).toBeCloseTo(0.05)
    expect(freshnessBetween(before, after, 0.99)).toBeCloseTo(1)
    expect(freshnessBetween(before, after, 1)).toBe(1)
  })
})

describe('the last hour', () => {
  afterEach(() => vi.useRealTimers())

  it('has what came in the first seconds of the process', async () => {
    vi.useFakeTimers()
    const scope = { businessId: 'bus_1', mode: 'test' } as const
    const billed = scopeCounts()
    const text = scrape([0, 0, 0], 0)
    const reading = async () => ({ text, billed: billed.now() })
    const pulse = openPulse({ reading, clock: { now: () => instantOf(Date.now() * millisecond) } })
    await vi.advanceTimersByTimeAsync(2_000)
    billed.add(scope, 50)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(pulse.history(scope, 'hour').map((one) => one.settledPerSecond)).toEqual([5])
    pulse.stop()
  })
})
