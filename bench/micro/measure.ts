import { assign } from '../../src/rules/meter/assign.ts'
import { compileCatalogs } from '../../src/rules/meter/catalog.ts'
import { measure } from '../../src/rules/meter/measure.ts'
import type {
  BusinessCatalog,
  CatalogMeter,
  MeasureResult,
  MeasureSlice,
} from '../../src/rules/meter/measure-types.ts'
import type { SubscriptionRoute } from '../../src/rules/meter/route.ts'
import { usage } from '../../src/rules/meter/route.ts'
import { createFingerprinter } from '../../src/std/fingerprint.ts'
import { instantOf, second } from '../../src/std/instant.ts'
import type { Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import { base, eventsPerRecord, owner, recordsOf } from './records.ts'
import type { MicroSize } from './run.ts'
import { asChild, fastest } from './run.ts'

/**
 * What measuring costs compared with a bare `JSON.parse` of the same bytes, with skewed customers,
 * three meters per event name and about 240 bytes per event. [bench/README.md#the-workload]
 *
 * Does not measure the log, the crossing to another thread, and the store; the macro benchmarks do.
 */
export function benchMeasure(size: MicroSize): Result {
  const [records, rounds] = size === 'full' ? [200, 20] : [2, 1]
  const slices = [{ partition: 0, records: recordsOf(records) }]
  const events = records * eventsPerRecord
  const fingerprinter = createFingerprinter(new Uint8Array(16))
  const catalogOf = compileCatalogs([catalog])
  const fresh = new Uint8Array(events).fill(1)
  const result = measure({ slices }, fingerprinter, catalogOf)
  const { usage: folded } = assignAll(result, fresh)

  const parse = fastest(rounds, events, () => void parseOnly(slices))
  const measured = fastest(rounds, events, () => void measure({ slices }, fingerprinter, catalogOf))
  const assigned = fastest(rounds, events, () => void assignAll(result, fresh))
  const ratio = parse / (measured + assigned)
  const lines: readonly (readonly [string, number])[] = [
    ['JSON.parse', parse],
    ['measure', measured],
    ['assign', assigned],
  ]
  return {
    name: 'micro: measure',
    lines: lines.map(([label, cost]) => ({ label, figures: [figure('an event', cost, 'ns')] })),
    goals: [
      { name: 'measuring over JSON.parse', value: ratio, unit: '×', target: 0.4, better: 'more' },
    ],
    checksum: folded.reduce((sum, { fold }) => sum + fold.value, 0n).toString(),
  }
}

function parseOnly(slices: readonly MeasureSlice[]): number {
  let lines = 0
  for (const { records } of slices) {
    for (const { value } of records) {
      const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()
      for (let from = 0; from < text.length; lines += 1) {
        const to = text.indexOf('\n', from)
        JSON.parse(text.slice(from, to))
        from = to + 1
      }
    }
  }
  return lines
}

const assignAll = (result: MeasureResult, fresh: Uint8Array) =>
  assign({ result, fresh, routesOf: () => [route], linksOf: () => [] })

const meter = (meterId: string, rest: Partial<CatalogMeter>): CatalogMeter => ({
  meterId,
  eventName: 'completion.done',
  aggregation: 'sum',
  aggregationKey: 'tokens',
  filter: null,
  archived: [],
  ...rest,
})

const catalog: BusinessCatalog = {
  ...owner,
  version: 1,
  meters: [
    meter('mtr_calls', { aggregation: 'count', aggregationKey: null }),
    meter('mtr_tokens', {}),
    meter('mtr_large', {
      filter: {
        conjunction: 'and',
        clauses: [
          { key: 'model', operator: 'equals', value: 'large' },
          { key: 'tokens', operator: 'greater_than', value: 100 },
        ],
      },
    }),
  ],
}

const route: SubscriptionRoute = {
  routeId: 'sub_1',
  activatedAt: instantOf(base - 86_400 * second),
  ended: null,
  stretches: [
    {
      from: instantOf(base - 86_400 * second),
      anchor: instantOf(base - 86_400 * second),
      frequency: { count: 1, interval: 'Month' },
      links: catalog.meters.map(({ meterId }) => ({
        meterId,
        entitlementId: 'cde_1',
        unitsPerCredit: 10n ** 18n,
        freeThreshold: usage(0n),
        pricePerUnit: null,
      })),
    },
  ],
}

await asChild(import.meta.url, benchMeasure)
