import type { Fold } from '../../src/rules/meter/fold.ts'
import type { CatalogMeter } from '../../src/rules/meter/measure-types.ts'
import type { AggregationType, Filter, FilterCondition } from '../../src/rules/meter/meter.ts'
import type { Link, Segment, SubscriptionRoute } from '../../src/rules/meter/route.ts'
import { routeFor, segmentAt } from '../../src/rules/meter/route.ts'
import type { Metadata } from '../../src/rules/meter/usage-event.ts'
import type { Instant } from '../../src/std/instant.ts'
import { instantOf } from '../../src/std/instant.ts'
import type { Rational } from './rational.ts'
import { compareRational, rational } from './rational.ts'

/** An event of one business and mode, as it stands in the log. */
export interface ModelEvent {
  readonly eventId: string
  readonly customerId: string
  readonly eventName: string
  readonly timestamp: Instant
  readonly receivedAt: Instant
  /** The business's time at receipt; absent: the event was not backfilled. */
  readonly backfilledAt?: Instant
  readonly metadata: Metadata | null
}

/** Filters as the manual has them, in the plainest code. [meters#filters] */
export function modelMatches(filter: Filter, metadata: Metadata | null): boolean {
  const verdicts: boolean[] = []
  for (const clause of filter.clauses) {
    if ('clauses' in clause) verdicts.push(modelMatches(clause, metadata))
    else verdicts.push(modelCondition(clause, metadata))
  }
  return filter.conjunction === 'and' ? !verdicts.includes(false) : verdicts.includes(true)
}

function modelCondition({ key, operator, value }: FilterCondition, metadata: Metadata | null) {
  const entry = Object.entries(metadata ?? {}).find(([name]) => name === key)
  if (entry === undefined) return false
  const property = entry[1]
  const kind = typeof property
  if (kind !== 'string' && kind !== 'number' && kind !== 'boolean') return false
  if (operator === 'contains' || operator === 'does_not_contain') {
    if (typeof property !== 'string' || typeof value !== 'string') return false
    return (property.split(value).length > 1 || value === '') === (operator === 'contains')
  }
  const [left, right] = [comparable(property), comparable(value)]
  if (operator === 'equals') return equals(property, value)
  if (operator === 'not_equals') return !equals(property, value)
  if (left === null || right === null) return false
  const compared = compareRational(left, right)
  if (operator === 'greater_than') return compared === 1
  if (operator === 'greater_than_or_equals') return compared !== -1
  if (operator === 'less_than') return compared === -1
  return compared !== 1
}

function equals(a: unknown, b: unknown): boolean {
  const [left, right] = [comparable(a), comparable(b)]
  if (left !== null && right !== null) return compareRational(left, right) === 0
  const truths = new Map([
    ['true', true],
    ['false', false],
  ])
  const [yes, no] = [truths.get(String(a)), truths.get(String(b))]
  if (yes !== undefined && no !== undefined) return yes === no
  return String(a) === String(b)
}

/** The number that a filter sees in a value: any JSON number, and plain decimals as text. */
function comparable(value: unknown): Rational | null {
  if (typeof value === 'number') return rational(String(value))
  return typeof value === 'string' && isPlain(value) ? rational(value) : null
}

/** Whether a text is a quantity, character by character. [meters#quantities] */
function isPlain(text: string): boolean {
  const parts = (text.startsWith('-') ? text.slice(1) : text).split('.')
  if (parts.length > 2) return false
  return parts.every((part, index) => {
    const digits = [...part].every((character) => '0123456789'.includes(character))
    return digits && part.length >= 1 && part.length <= (index === 0 ? 20 : 18)
  })
}

/** The quantity scaled by 10^18, or null when the value is not numeric. [meters#quantities] */
export function modelQuantity(value: unknown): bigint | null {
  if (typeof value === 'string' && !isPlain(value)) return null
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const read = rational(String(value))
  if (read === null) return null
  const scaled = read.over * 10n ** 18n
  if (scaled % read.under !== 0n) return null
  const quantity = scaled / read.under
  return quantity < 10n ** 38n && quantity > -(10n ** 38n) ? quantity : null
}

export interface ModelSample {
  readonly quantity: bigint
  readonly event: Pick<ModelEvent, 'timestamp' | 'receivedAt' | 'eventId'>
}

/** The value of all samples at once: sorted, and not folded one by one. */
export function modelValue(aggregation: AggregationType, samples: readonly ModelSample[]): bigint {
  if (samples.length === 0) return 0n
  if (aggregation === 'count') return BigInt(samples.length) * 10n ** 18n
  const quantities = samples.map(({ quantity }) => quantity)
  if (aggregation === 'sum') return quantities.reduce((sum, quantity) => sum + quantity, 0n)
  if (aggregation === 'max')
    return quantities.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))[0] ?? 0n
  return samples.toSorted((a, b) => modelLater(b, a))[0]?.quantity ?? 0n
}

const modelLater = ({ event: a }: ModelSample, { event: b }: ModelSample): number =>
  a.timestamp - b.timestamp ||
  a.receivedAt - b.receivedAt ||
  Buffer.compare(Buffer.from(a.eventId), Buffer.from(b.eventId))

export interface ModelRouting {
  readonly routesOf: (customerId: string) => readonly SubscriptionRoute[]
  readonly linksOf: (meterId: string) => readonly Link[]
}

/** Usage by the name of its row: events and value, as text. */
export function modelUsage(
  events: readonly ModelEvent[],
  meters: readonly CatalogMeter[],
  routing: ModelRouting,
): Map<string, string> {
  const rows = new Map<string, { aggregation: AggregationType; samples: ModelSample[] }>()
  for (const event of events) {
    for (const meter of meters.filter((candidate) => counts(candidate, event))) {
      const { aggregation } = meter
      const quantity =
        aggregation === 'count'
          ? 10n ** 18n
          : modelQuantity(Object.entries(event.metadata ?? {}).find(isKey(meter))?.[1])
      if (quantity === null) continue
      for (const name of rowsOf(event, meter, routing)) {
        const row = rows.get(name) ?? { aggregation, samples: [] }
        row.samples.push({ quantity, event })
        rows.set(name, row)
      }
    }
  }
  const text = [...rows].map(([name, { aggregation, samples }]): [string, string] => {
    return [name, `${samples.length} ${modelValue(aggregation, samples)}`]
  })
  return new Map(text.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const isKey =
  ({ aggregationKey }: CatalogMeter) =>
  ([key]: readonly [string, unknown]): boolean =>
    key === aggregationKey

function counts(meter: CatalogMeter, event: ModelEvent): boolean {
  const { filter, archived, eventName } = meter
  const away = archived.some(
    ({ from, to }) => from <= event.receivedAt && event.receivedAt < (to ?? Infinity),
  )
  if (eventName !== event.eventName || away) return false
  return filter === null || modelMatches(filter, event.metadata)
}

/** Asks the product's routing for each event and entitlement, and remembers nothing. */
function rowsOf(event: ModelEvent, { meterId, aggregation }: CatalogMeter, routing: ModelRouting) {
  const routes = routing.routesOf(event.customerId)
  const links = routing.linksOf(meterId).filter((link) => link.meterId === meterId)
  const ties = [...routes.flatMap((r) => r.stretches.flatMap((s) => s.links)), ...links]
  const entitlements = new Set(
    ties.filter((link) => link.meterId === meterId).map((link) => link.entitlementId),
  )
  const hour =
    aggregation === 'max' || aggregation === 'last' ? Math.floor(event.receivedAt / 3.6e9) : 0
  return [...entitlements].flatMap((entitlementId) => {
    const routed = routeFor(routes, meterId, entitlementId, event)
    const link = links.find((candidate) => candidate.entitlementId === entitlementId)
    const own = routed?.segment ?? (link === undefined ? null : modelMonth(event.timestamp))
    if (own === null) return []
    const segment = isLateFor(own, event) ? (presentOf() ?? own) : own
    const routeId = routed?.route.routeId ?? entitlementId
    return [
      rowName([
        event.customerId,
        routeId,
        meterId,
        entitlementId,
        segment.cycle.start,
        segment.start,
        hour,
      ]),
    ]

    /** Where usage of this moment of receipt counts, by the same route; null: nowhere. */
    function presentOf(): Pick<Segment, 'cycle' | 'start'> | null {
      const at = event.backfilledAt ?? event.timestamp
      if (routed === null) return modelMonth(at)
      const now = segmentAt(routed.route.stretches, at)
      const tie = now?.links.find(
        (of) => of.meterId === meterId && of.entitlementId === entitlementId,
      )
      return tie === undefined ? null : now
    }
  })
}

/** For an hour after its end a cycle takes usage that is late. [meters#late-usage] */
const isLateFor = ({ cycle }: Pick<Segment, 'cycle'>, { backfilledAt }: ModelEvent): boolean =>
  backfilledAt !== undefined && (backfilledAt - cycle.end) / 3.6e9 > 1

/** Default links count by UTC calendar months. [meters#who-takes-the-usage] */
function modelMonth(timestamp: number) {
  const date = new Date(timestamp / 1_000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const start = instantOf(Date.UTC(year, month, 1) * 1_000)
  return { start, cycle: { start, end: instantOf(Date.UTC(year, month + 1, 1) * 1_000) } }
}

export const rowName = (parts: readonly (string | number | null)[]): string => JSON.stringify(parts)

/**
 * Adds up segments, each by its own rate: what usage up to its end costs, less what it did before.
 */
export function modelWorth(
  segments: readonly {
    readonly start: number
    readonly samples: readonly ModelSample[]
    readonly unitsPerCredit: bigint
    readonly freeThreshold: bigint
  }[],
  aggregation: Fold['aggregation'],
  precision: number,
): bigint {
  const ordered = segments.toSorted((a, b) => a.start - b.start)
  let worth = 0n
  ordered.forEach(({ unitsPerCredit, freeThreshold }, index) => {
    const usedBy = (last: number) =>
      modelValue(
        aggregation,
        ordered.slice(0, last + 1).flatMap(({ samples }) => samples),
      )
    const price = (used: bigint): bigint => {
      const chargeable = used > freeThreshold ? used - freeThreshold : 0n
      return (chargeable * 10n ** BigInt(precision)) / unitsPerCredit
    }
    worth += price(usedBy(index)) - price(usedBy(index - 1))
  })
  return worth
}
