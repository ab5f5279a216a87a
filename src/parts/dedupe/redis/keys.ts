import { createHash } from 'node:crypto'
import type { Partition } from '../../event-log/port.ts'

/** The beginning of all keys of a partition, which says its slot; the key of its hash. */
export interface PartitionKeys {
  readonly tag: string
  /** For KEYS: the hash, and the key that never exists (scripts.ts). */
  readonly keys: readonly [string, string]
}

/**
 * One installation never sees another's keys in the same Redis. Short, as they stand in front of
 * every bucket.
 */
export function partitionKeys(installation: string): (partition: Partition) => PartitionKeys {
  const digest = createHash('sha256').update(installation).digest('base64url').slice(0, 8)
  const made = new Map<Partition, PartitionKeys>()
  return (partition) => {
    const known = made.get(partition)
    if (known !== undefined) return known
    const tag = `sluice:{${digest}:${partition}}`
    const keys: PartitionKeys = { tag, keys: [tag, `${tag}:never`] }
    made.set(partition, keys)
    return keys
  }
}
