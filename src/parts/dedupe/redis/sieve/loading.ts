import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Offset, Partition } from '../../../event-log/port.ts'
import type { RedisConnection } from '../../../redis.ts'
import type { DedupeKeys } from '../keys.ts'
import { pourScript } from '../scripts.ts'
import type { BucketForm, SieveIds } from './ids.ts'

export interface PouringNeeds {
  readonly connection: RedisConnection
  readonly keys: DedupeKeys
}

/** What is loaded, and for as long as it is wanted. */
export interface Pouring {
  readonly partition: Partition
  readonly into: Pick<SieveIds, 'pour'>
  readonly filling: string
  /** Up to where it was marked when the load began: what is poured must have come as far. */
  readonly synced: Offset
  readonly newest: number
  isWanted(): boolean
}

/** How many buckets are read at once, and how long it rests in between: a tenth of Redis. */
const [bucketsAtOnce, restMs] = [16, 1]

/** By their number (scripts/buckets.lua); 0 is that of trays. */
const forms: readonly BucketForm[] = [
  { width: 12, before: 2 },
  { width: 9, before: 0 },
  { width: 10, before: 1 },
  { width: 10, before: 2 },
]

/**
 * Pours all ids that Redis held of a partition when the load began. Answers false where it cannot
 * say that these were all: that filling is gone, or an older copy of it answers; or where nobody
 * wants them any more. Rejects where Redis does not answer.
 */
export async function pourAll(needs: PouringNeeds, of: Pouring): Promise<boolean> {
  for (let generation = Math.max(0, of.newest - 2); generation <= of.newest; generation += 1) {
    // In this order, since ids go from trays to buckets.
    for (const what of ['trays', 'buckets'] as const) {
      if (!(await poured(needs, of, { generation, what }))) return false
    }
  }
  return true
}

async function poured(needs: PouringNeeds, of: Pouring, place: Omit<Place, 'from'>) {
  for (let from = 0, count = 0; from === 0 || from < count; from += bucketsAtOnce) {
    const there = await pourSome(needs, of, { ...place, from })
    if (there === null || (there < count && there > 0)) return false
    count = there
    await sleep(restMs)
  }
  return true
}

interface Place {
  readonly generation: number
  readonly what: 'trays' | 'buckets'
  /** The number of the first. */
  readonly from: number
}

/** Answers how many buckets there are; null: nothing was poured. */
async function pourSome(
  { connection, keys }: PouringNeeds,
  { filling, into, isWanted, partition, synced }: Pouring,
  { from, generation, what }: Place,
): Promise<number | null> {
  const rest = [filling, generation, what, from, bucketsAtOnce]
  const reply = await connection.run(pourScript, keys.of([partition]), rest)
  if (!Array.isArray(reply) || !isWanted()) return null
  const [reached, count, number, ...buckets]: readonly unknown[] = reply
  assert(reached instanceof Buffer, 'pour.lua answers up to where it is synced.')
  if (Number(reached.toString()) < synced) return null
  for (const bucket of buckets) {
    const form = forms[Number(number)]
    assert(bucket instanceof Buffer && form !== undefined, 'pour.lua answers buckets of a form.')
    into.pour(generation, bucket, form)
  }
  return Number(count)
}
