import type { MeasureSlice } from '../../src/rules/meter/measure-types.ts'
import { instantOf, parseInstant } from '../../src/std/instant.ts'

/**
 * Records of the event log as the edge writes them: 100 events each, skewed.
 * [bench/README.md#the-workload]
 */
export function recordsOf(records: number): MeasureSlice['records'] {
  return Array.from({ length: records }, (_, offset) => {
    const lines = Array.from({ length: eventsPerRecord }, (_, index) =>
      line(offset * eventsPerRecord + index),
    )
    const value = new TextEncoder().encode(lines.join(''))
    return { offset, at: instantOf(base + offset * 10_000), events: eventsPerRecord, value }
  })
}

export const eventsPerRecord = 100

export const owner = { businessId: 'bus_4Zr1vGmXb0aQkT9sYw2Lc', mode: 'live' } as const

export const base = parseInstant('2026-01-10T12:00:00Z') ?? instantOf(0)

function line(number: number): string {
  const micros = String((number * 7_919) % 1_000_000).padStart(6, '0')
  const event = {
    business_id: owner.businessId,
    mode: owner.mode,
    event_id: `evt_${String(number * 2_654_435_761).padStart(20, '0')}`,
    customer_id: `cus_${String(skewed(number)).padStart(21, 'k')}`,
    event_name: 'completion.done',
    timestamp: `2026-01-10T12:00:${String(number % 60).padStart(2, '0')}.${micros}Z`,
    metadata: { model: number % 3 === 0 ? 'large' : 'small', tokens: (number * 31) % 4_000 },
  }
  return `${JSON.stringify(event)}\n`
}

/** The first customer sends 35 % of the events, the first five 78 %, the first ten 90 %. */
function skewed(number: number): number {
  const share = (number * 37) % 100
  if (share < 35) return 0
  if (share < 78) return 1 + (share % 4)
  return share < 90 ? 5 + (share % 5) : 10 + (number % 1_000)
}
