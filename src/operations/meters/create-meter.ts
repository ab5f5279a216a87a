import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { oversizeValue } from '../../rules/meter/filter.ts'
import type { Meter, WantedMeter } from '../../rules/meter/meter.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { oversizeProblem } from '../../std/number.ts'
import { writeNewRow } from '../accounts/new-row.ts'
import { inCatalogTurn } from './catalog-turn.ts'

export interface CreateMeter {
  readonly changes: Pick<Changes, 'commit'>
  readonly meters: Pick<Meters, 'counted'>
  readonly newId: NewId
}

/**
 * A meter counts whatever is measured from its creation on; it can be archived, never changed.
 * Refuses with 400 a value in the filter that a JSON number cannot carry. [meters#aggregation,
 * requests#refusals]
 */
export async function createMeter(
  { changes, meters, newId }: CreateMeter,
  scope: Scope,
  { wanted, at }: { readonly wanted: WantedMeter; readonly at: Instant },
): Promise<Meter> {
  const oversize = wanted.filter === null ? null : oversizeValue(wanted.filter)
  if (oversize !== null) {
    throw new Fault('INVALID_REQUEST_PARAMETERS', `${oversize} is ${oversizeProblem}`)
  }
  const meter: Meter = {
    ...wanted,
    meterId: newId('mtr'),
    archived: [],
    archivedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  return inCatalogTurn(scope, async () => {
    refuseTooMany(await meters.counted(scope, meter.eventName))
    await writeNewRow(changes, scope, { noun: 'meter', expected: null, row: meter })
    return meter
  })
}

/** Of several processes at once a few more than may be can get in: the bounds are no promise. */
function refuseTooMany({ all, named }: Awaited<ReturnType<Meters['counted']>>): void {
  if (all < limits.metersMax && named < limits.metersPerNameMax) return
  throw new Fault(
    'CONFLICT',
    `A business has at most ${limits.metersMax} meters, and ${limits.metersPerNameMax} of one event name, archived ones included: use another event_name, or a meter that there is.`,
    { docs: 'resources#meters' },
  )
}
