import { Fault, notFound } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import { inCatalogTurn } from './catalog-turn.ts'

export interface ArchiveMeter {
  readonly meters: Meters
  /** Real time, since usage is cut off by its receipt, which no test clock moves. */
  readonly clock: Clock
}

interface Target {
  readonly meterId: string
  readonly at: Instant
}

/** 404 for none, 410 when it is archived already. [resources#meters] */
export async function archiveMeter(
  { meters, clock }: ArchiveMeter,
  scope: Scope,
  { meterId, at }: Target,
): Promise<void> {
  const outcome = await inCatalogTurn(scope, () =>
    meters.archive(scope, meterId, { logAt: clock.now(), at }),
  )
  if (outcome === 'unknown') throw notFound('meter', meterId)
  if (outcome === 'changed') return
  throw new Fault('METER_IS_DELETED', `The meter '${meterId}' is archived already.`)
}

/**
 * 404 for none, and for one that is not archived, like undeleting; 409 for one that was archived
 * too often. [requests#refusals]
 */
export async function unarchiveMeter(
  { meters, clock }: ArchiveMeter,
  scope: Scope,
  { meterId, at }: Target,
): Promise<void> {
  const outcome = await inCatalogTurn(scope, () =>
    meters.unarchive(scope, meterId, { logAt: clock.now(), at }),
  )
  if (outcome === 'changed') return
  if (outcome !== 'full') throw notFound('archived meter', meterId)
  throw new Fault(
    'CONFLICT',
    `The meter '${meterId}' was archived ${limits.archivedRangesMax} times, and stays so: create another one.`,
  )
}
