import type { MeasureResult } from './measure-types.ts'

/** Bytes of one mark. */
export const markBytes = 2

const marks = 2 ** 16 - 1

/**
 * A routes version in two bytes, beside every measured event: which routes its usage went by. 0 is
 * nobody's: no version. What is cut off cannot be missed: while an event can be voided, no
 * customer's routes change 65 535 times. The store makes the version of a mark and the newest
 * version.
 */
export const markOf = (version: number): number => 1 + ((version - 1) % marks)

/**
 * The marks of all events of a result, in order. An event without a row, or of a customer without
 * routes to look up, has 0.
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

/** The mark of the n-th event; 0 where none were kept. */
export const markAt = (bytes: Uint8Array, event: number): number =>
  (bytes[event * markBytes] ?? 0) * 256 + (bytes[event * markBytes + 1] ?? 0)
