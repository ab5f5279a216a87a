import type { Meter } from '../../meter/meter.ts'
import { isArchived } from '../../meter/meter.ts'
import type { Rejection } from './rejection.ts'
import { firstOf, firstOfEach } from './rejection.ts'

export interface MetersWhere {
  /** The field that holds the list. */
  readonly where: string
  /** Meters that were named there before: archived since, they may stay. */
  readonly carried?: ReadonlySet<string>
}

/**
 * Whether the meters of a list exist, are not archived, and are named once. State (410) is judged
 * before rules (422). `meters` holds those that exist. [resources#prices, requests#refusals]
 */
export function metersRejection(
  named: readonly { readonly meterId: string }[],
  meters: ReadonlyMap<string, Meter>,
  { where, carried = new Set() }: MetersWhere,
): Rejection | null {
  return firstOf([
    () => firstOfEach(named, ({ meterId }, index) => archived(meterId, `${where}[${index}]`)),
    () => firstOfEach(named, ({ meterId }, index) => missing(meterId, `${where}[${index}]`)),
    () => firstOfEach(named, ({ meterId }, index) => repeated(meterId, index)),
  ])

  function archived(meterId: string, at: string): Rejection | null {
    const meter = meters.get(meterId)
    if (meter === undefined || !isArchived(meter) || carried.has(meterId)) return null
    return {
      code: 'METER_IS_DELETED',
      problem: `${at}.meter_id: the meter '${meterId}' is archived. Unarchive it first.`,
    }
  }

  function missing(meterId: string, at: string): Rejection | null {
    if (meters.has(meterId)) return null
    const problem = `${at}.meter_id: there is no meter with the id '${meterId}'.`
    return { code: 'MISSING_METER_IDS', problem }
  }

  function repeated(meterId: string, index: number): Rejection | null {
    if (named.findIndex((other) => other.meterId === meterId) === index) return null
    const problem = `${where}[${index}].meter_id names the meter '${meterId}' a second time.`
    return { code: 'DUPLICATE_METER_IDS_IN_REQUEST', problem }
  }
}
