import { Fault, notFound, orNotFound } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import { archivedMeter, isArchived, unarchivedMeter } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import type { Operation, Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import { inCatalogTurn } from './catalog-turn.ts'

export interface ArchiveMeter extends Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly meters: Pick<Meters, 'get'>
  /** Real time, since usage is cut off by its receipt, which no test clock moves. */
  readonly clock: Clock
}

interface Target {
  readonly meterId: string
  readonly at: Instant
}

/** 404 for none, 410 when it is archived already. [resources#meters] */
export async function archiveMeter(
  needs: ArchiveMeter,
  scope: Scope,
  { meterId, at }: Target,
): Promise<void> {
  await changeMeter(needs, scope, {
    operation: 'archive_meter',
    decide: async () => {
      const was = orNotFound(await needs.meters.get(scope, meterId), 'meter', meterId)
      if (isArchived(was)) {
        throw new Fault('METER_IS_DELETED', `The meter '${meterId}' is archived already.`)
      }
      return { was, row: archivedMeter(was, { log: needs.clock.now(), at }) }
    },
  })
}

/**
 * 404 for none, and for one that is not archived, like undeleting; 409 for one that was archived
 * too often. [requests#refusals]
 */
export async function unarchiveMeter(
  needs: ArchiveMeter,
  scope: Scope,
  { meterId, at }: Target,
): Promise<void> {
  await changeMeter(needs, scope, {
    operation: 'unarchive_meter',
    decide: async () => {
      const was = await needs.meters.get(scope, meterId)
      if (was === null || !isArchived(was)) throw notFound('archived meter', meterId)
      if (was.archived.length >= limits.archivedRangesMax) {
        throw new Fault(
          'CONFLICT',
          `The meter '${meterId}' was archived ${limits.archivedRangesMax} times, and stays so: create another one.`,
          { docs: 'meters#archiving' },
        )
      }
      return { was, row: unarchivedMeter(was, { log: needs.clock.now(), at }) }
    },
  })
}

interface MeterChange {
  readonly operation: Operation
  /** Of the meter as it is: what becomes of it. Throws a Fault to refuse. */
  readonly decide: () => Promise<{ readonly was: Meter; readonly row: Meter }>
}

const changeMeter = (
  needs: ArchiveMeter,
  scope: Scope,
  { operation, decide }: MeterChange,
): Promise<undefined> =>
  inCatalogTurn(scope, () =>
    untilWritten<undefined>(needs, operation, async () => {
      const { was, row } = await decide()
      const changed = { noun: 'meter', expected: was, row } as const
      const outcome = await needs.changes.commit(rowAlone(scope, changed))
      return outcome === 'committed' ? undefined : lost
    }),
  )
