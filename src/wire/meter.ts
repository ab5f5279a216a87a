import { limits } from '../limits.ts'
import type {
  Aggregation,
  AggregationType,
  Filter,
  Meter,
  WantedMeter,
} from '../rules/meter/meter.ts'
import { formatInstant } from '../std/instant.ts'
import type { Checked, Schema } from '../std/schema.ts'
import { schema } from '../std/schema.ts'
import { readFilter } from './meter-filter.ts'
import { nullable, oneOf, text } from './schemas.ts'

/** [resources#meters] */
export interface MeterCreate {
  readonly name: string
  readonly event_name: string
  readonly aggregation: { readonly type: AggregationType; readonly key?: string | null }
  readonly measurement_unit: string
  readonly description?: string | null
  readonly filter?: Filter | null
}

/** [resources#meters] */
export interface MeterView {
  readonly id: string
  readonly business_id: string
  readonly name: string
  readonly event_name: string
  readonly aggregation: Aggregation
  readonly filter: Filter | null
  readonly measurement_unit: string
  readonly description: string | null
  readonly created_at: string
  readonly updated_at: string
}

const aggregationTypes: readonly AggregationType[] = ['count', 'sum', 'max', 'last']

const shape = schema<MeterCreate>({
  type: 'object',
  required: ['name', 'event_name', 'aggregation', 'measurement_unit'],
  properties: {
    name: text(1, limits.nameMax),
    event_name: text(1, limits.eventTextMax),
    aggregation: {
      type: 'object',
      required: ['type'],
      properties: {
        type: oneOf(aggregationTypes),
        key: nullable(text(1, limits.metadataKeyMax)),
      },
    },
    measurement_unit: text(1, limits.nameMax),
    description: nullable(text(0, limits.descriptionMax)),
    filter: { type: ['object', 'null'] },
  },
})

/**
 * Checks the shape, the filter inside it, and that an aggregation of a property names one.
 * [meters#aggregation]
 */
export const meterCreate: Schema<MeterCreate> = { definition: shape.definition, check }

function check(body: unknown): Checked<MeterCreate> {
  const checked = shape.check(body)
  if (!checked.ok) return checked
  const { aggregation, filter } = checked.value
  if (aggregation.type !== 'count' && (aggregation.key ?? null) === null) {
    const problem = `aggregation.key is required for ${aggregation.type}.`
    return { ok: false, problem }
  }
  if (filter === null || filter === undefined) return checked
  const read = readFilter(filter)
  return read.ok ? { ok: true, value: { ...checked.value, filter: read.filter } } : read
}

/** The meter that a body asks for. */
export function wantedMeter(body: MeterCreate): WantedMeter {
  const { type, key } = body.aggregation
  return {
    name: body.name,
    eventName: body.event_name,
    // Counting reads no property, so a key that was sent all the same has no meaning.
    aggregation: { type, key: type === 'count' ? null : (key ?? null) },
    filter: body.filter ?? null,
    measurementUnit: body.measurement_unit,
    description: body.description ?? null,
  }
}

export function meterView(businessId: string, meter: Meter): MeterView {
  return {
    id: meter.meterId,
    business_id: businessId,
    name: meter.name,
    event_name: meter.eventName,
    aggregation: meter.aggregation,
    filter: meter.filter,
    measurement_unit: meter.measurementUnit,
    description: meter.description,
    created_at: formatInstant(meter.createdAt),
    updated_at: formatInstant(meter.updatedAt),
  }
}
