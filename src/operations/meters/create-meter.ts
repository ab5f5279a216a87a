import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { oversizeProblem } from '../../std/number.ts'
import type { MeterCreate } from '../../wire/meter.ts'
import { oversizeValue } from '../../wire/meter-filter.ts'
import { inCatalogTurn } from './catalog-turn.ts'

export interface CreateMeter {
  readonly meters: Meters
  readonly newId: NewId
}

/**
 * Counts whatever is measured from now on; can be archived, never changed. Refuses with 400 a value
 * in the filter that a JSON number cannot carry. [meters#aggregation, requests#refusals]
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
  const outcome = await inCatalogTurn(scope, () => meters.insert(scope, meter))
  if (outcome === 'inserted') return meter
  throw new Fault(
    'CONFLICT',
    `A business has at most ${limits.metersMax} meters, and ${limits.metersPerNameMax} of one event name, archived ones included: use another event_name, or a meter that there is.`,
  )
}
