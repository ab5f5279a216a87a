import { frameOf } from '../../src/sidecar/receiving.ts'
import type { Spool, SpoolNeeds } from '../../src/sidecar/spool.ts'
import { openSpool } from '../../src/sidecar/spool.ts'
import type { Instant } from '../../src/std/instant.ts'
import { noon } from '../support/edge/test-server.ts'
import { quiet } from '../support/runtime/logger.ts'

export const mebibyte = 1_048_576
export const bounds = { events: 1_000, bytes: mebibyte }

export const openTestSpool = (
  directory: string,
  options: Partial<SpoolNeeds> = {},
): Promise<Spool> =>
  openSpool({
    directory,
    bytesMax: 64 * mebibyte,
    logger: quiet,
    appended: () => undefined,
    ...options,
  })

export const eventOf = (id: string, customer = 'cus_1') => ({
  event_id: id,
  customer_id: customer,
  event_name: 'call',
})

export const framed = (ids: readonly string[], at: Instant = noon) =>
  frameOf(
    ids.map((id) => eventOf(id)),
    at,
  )

export const idsIn = (lines: readonly string[]): string[] =>
  lines.map((line) => String(JSON.parse(line).event_id))

/** All that is left, forwarded parcel by parcel. */
export async function drained(spool: Spool, of = bounds): Promise<string[][]> {
  const parcels: string[][] = []
  for (let parcel = await spool.next(of); parcel !== null; parcel = await spool.next(of)) {
    parcels.push(idsIn(parcel.lines))
    await spool.forwarded(parcel)
  }
  return parcels
}
