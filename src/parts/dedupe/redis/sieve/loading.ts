import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Partition } from '../../../event-log/port.ts'
import type { RedisConnection } from '../../../redis.ts'
import type { DedupeKeys } from '../keys.ts'
import { pourScript } from '../scripts.ts'
import type { BucketForm, PartitionSieve } from './partition.ts'

export interface LoadNeeds {
  readonly connection: RedisConnection
  readonly keys: DedupeKeys
}

/** What is loaded, and for as long as it is wanted. */
export interface Load {
  readonly partition: Partition
  readonly sieve: PartitionSieve
  readonly newest: number
  isWanted(): boolean
}

/** How many buckets are read at once, and how long it rests in between: a tenth of Redis. */
const [bucketsAtOnce, restMs] = [16, 1]

/** By their number; the comment at the head of scripts/buckets.lua has them. */
const forms: readonly (BucketForm | undefined)[] = [
  undefined,
  { width: 9, before: 0 },
  { width: 10, before: 1 },
  { width: 10, before: 2 },
]

/**
 * Pours all ids that Redis holds of a partition into its sieve. Answers false where that filling is
 * gone, or nobody wants it any more. Rejects where Redis does not answer.
 */
export async function load(needs: LoadNeeds, of: Load): Promise<boolean> {
  for (let generation = Math.max(0, of.newest - 2); generation <= of.newest; generation += 1) {
    for (let from = 0; from !== -1; ) {
      const next = await pourSome(needs, of, { generation, from })
      if (next === null) return false
      from = next
      await sleep(restMs)
    }
  }
  of.sieve.fill()
  return true
}

interface Place {
  readonly generation: number
  /** The number of a bucket. */
  readonly from: number
}

/** Answers where to go on; -1: there are no more; null: the filling is another one. */
async function pourSome(
  { connection, keys }: LoadNeeds,
  { isWanted, partition, sieve }: Load,
  { from, generation }: Place,
): Promise<number | null> {
  const rest = [sieve.filling, generation, from, bucketsAtOnce]
  const reply = await connection.run(pourScript, keys.of([partition]), rest)
  if (!Array.isArray(reply) || !isWanted()) return null
  const [count, number, ...buckets]: readonly unknown[] = reply
  for (const bucket of buckets) {
    const form = forms[Number(number)]
    assert(bucket instanceof Buffer && form !== undefined, 'pour.lua answers buckets of a form.')
    sieve.pour(generation, bucket, form)
  }
  const next = from + bucketsAtOnce
  return next < Number(count) ? next : -1
}
