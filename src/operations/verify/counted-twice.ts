import { randomInt } from 'node:crypto'
import type { Offset } from '../../parts/event-log/port.ts'
import type { StoredBatch } from '../../parts/store/measuring.ts'
import { fingerprintBytes } from '../../std/fingerprint.ts'
import type { Duration } from '../../std/instant.ts'

/** An id that counted in two batches, less than a window of running time apart. */
export interface CountedTwice {
  readonly ids: number
  /** Where the first such id counted: the start offsets of its two batches. */
  readonly first: readonly [Offset, Offset]
}

export interface CountedTwiceOptions {
  readonly window: Duration
  /** How many ids are kept in memory; some 20 bytes each. */
  readonly idsMax?: number
}

const idsMaxDefault = 2 ** 21

/** The verdict of a repeat, as measuring writes it. */
const duplicate = 2

/**
 * Looks through the batches of one partition for ids that counted twice within the window; null
 * when there is none. Where memory cannot hold all ids, a share of them is looked at, chosen at
 * random each time: a fault that lets one id through lets many.
 */
export async function countedTwice(
  batches: AsyncIterable<StoredBatch>,
  { window, idsMax = idsMaxDefault }: CountedTwiceOptions,
): Promise<CountedTwice | null> {
  /** Where each id last counted: its running time and its batch. */
  let seen = new Map<string, Counting>()
  /** Only ids whose lowest bits are `own` are looked at. */
  let [mask, own] = [0, 0]
  let ids = 0
  let first: CountedTwice['first'] | null = null
  for await (const batch of batches) {
    const view = new DataView(batch.fingerprints.buffer, batch.fingerprints.byteOffset)
    for (let event = 0; event < batch.verdicts.length; event += 1) {
      const at = event * fingerprintBytes
      const lo = view.getUint32(at + 4)
      if (batch.verdicts[event] === duplicate || (lo & mask) !== own) continue
      look(`${view.getUint32(at)} ${lo} ${view.getUint32(at + 8)}`, batch)
    }
    while (seen.size > idsMax) halve(batch.ran)
  }
  return first === null ? null : { ids, first }

  function look(id: string, { ran, start }: StoredBatch): void {
    const before = seen.get(id)
    seen.set(id, { ran, start })
    if (before === undefined || ran - before.ran > window) return
    ids += 1
    first ??= [before.start, start]
  }

  function halve(now: Duration): void {
    const bit = mask + 1
    mask += bit
    own += randomInt(2) * bit
    seen = new Map(
      [...seen].filter(
        ([id, { ran }]) => (Number(id.split(' ')[1]) & mask) === own && ran >= now - window,
      ),
    )
  }
}

interface Counting {
  readonly ran: Duration
  readonly start: Offset
}
