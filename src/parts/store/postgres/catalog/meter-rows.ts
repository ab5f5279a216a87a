import type { Aggregation, Filter, LogTimeRange, Meter } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { StoredRange } from '../usage/log-time.ts'
import { rangesOf, storedRange } from '../usage/log-time.ts'

/** A meter as the database has it. */
export interface MeterRow {
  readonly meter_id: string
  readonly name: string
  readonly event_name: string
  readonly aggregation: Aggregation['type']
  readonly aggregation_key: string | null
  readonly filter: Filter | null
  readonly measurement_unit: string
  readonly description: string | null
  readonly archived: readonly StoredRange[]
  readonly archived_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const meterColumns = sql`
  meter_id, name, event_name, aggregation, aggregation_key, filter, measurement_unit, description,
  archived, archived_at, created_at, updated_at`

export function meterOf(row: MeterRow): Meter {
  const archived: readonly LogTimeRange[] = rangesOf(row.archived)
  return {
    meterId: row.meter_id,
    name: row.name,
    eventName: row.event_name,
    aggregation: { type: row.aggregation, key: row.aggregation_key },
    filter: row.filter,
    measurementUnit: row.measurement_unit,
    description: row.description,
    archived,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** As write_meters() takes it. */
export const meterRow = (scope: Scope, meter: Meter): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  meter_id: meter.meterId,
  name: meter.name,
  event_name: meter.eventName,
  aggregation: meter.aggregation.type,
  aggregation_key: meter.aggregation.key,
  filter: meter.filter,
  measurement_unit: meter.measurementUnit,
  description: meter.description,
  archived: meter.archived.map(storedRange),
  archived_at: timestamptz(meter.archivedAt),
  created_at: timestamptz(meter.createdAt),
  updated_at: timestamptz(meter.updatedAt),
})
