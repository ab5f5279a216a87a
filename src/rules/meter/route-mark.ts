import type { MeasureResult } from './measure-types.ts'

/** How many bytes a mark has. */
export const markBytes = 2

const marks = 2 ** 16 - 1

/**
 * The version of a customer's routes, cut down to two bytes and stored with every measured event,
 * so that it is known which routes took its usage. 0 means no version. The cut does no harm: no
 * customer's routes change 65 535 times while an event can be voided, so the store finds the
 * version from the mark and the newest version.
 */
export const markOf = (version: number): number => 1 + ((version - 1) % marks)

/**
 * The marks of all events of a result, in order. 0 for an event without a row, or of a customer
 * without routes.
 */
export function routeMarks(
  { events, groups, rows }: Pick<MeasureResult, 'events' | 'groups' | 'rows'>,
  routesVersionOf: (group: MeasureResult['groups'][number]) => number | null,
): Uint8Array {
  const bytes = new Uint8Array(events * markBytes)
  const view = new DataView(bytes.buffer)
  const ofGroup = groups.map((group) => {
    const version = routesVersionOf(group)
    return version === null ? 0 : markOf(version)
  })
  for (let row = 0; row < rows.count; row += 1) {
    view.setUint16((rows.event[row] ?? 0) * markBytes, ofGroup[rows.group[row] ?? 0] ?? 0)
  }
  return bytes
}

/** The mark of the n-th event; 0 where no marks were stored. */
export const markAt = (bytes: Uint8Array, event: number): number =>
  (bytes[event * markBytes] ?? 0) * 256 + (bytes[event * markBytes + 1] ?? 0)
