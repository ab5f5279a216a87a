import { Fault } from '../../faults.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { oversizeProblem } from '../../std/number.ts'
import type { MeterCreate } from '../../wire/meter.ts'
import { oversizeValue } from '../../wire/meter-filter.ts'

export interface CreateMeter {
  readonly meters: Meters
  readonly newId: NewId
}

/**
 * Counts whatever is measured from now on; can be archived, never changed. Refuses with 400 a value
 * in the filter that a JSON number cannot carry. [contract C.6, ruling 4]
 */
export async function createMeter(
  { meters, newId }: CreateMeter,
  scope: Scope,
  { body, at }: { readonly body: MeterCreate; readonly at: Instant },
): Promise<Meter> {
  const oversize = body.filter == null ? null : oversizeValue(body.filter)
  if (oversize !== null) {
    throw new Fault('INVALID_REQUEST_PARAMETERS', `${oversize} is ${oversizeProblem}`)
  }
  const { type, key } = body.aggregation
  const meter: Meter = {
    meterId: newId('mtr'),
    name: body.name,
    eventName: body.event_name,
    // Counting reads no property, so a key that was sent all the same means nothing.
    aggregation: { type, key: type === 'count' ? null : (key ?? null) },
    filter: body.filter ?? null,
    measurementUnit: body.measurement_unit,
    description: body.description ?? null,
    archived: [],
    archivedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  await meters.insert(scope, meter)
  return meter
}
