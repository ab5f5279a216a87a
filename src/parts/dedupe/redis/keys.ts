import { createHash } from 'node:crypto'
import type { Partition } from '../../event-log/port.ts'

export interface DedupeKeys {
  /** Where the hash of a partition is, and how all of its keys begin; its slot is in it. */
  tag(partition: Partition): string
  /** For KEYS of a script on these partitions: in a cluster, one partition. */
  of(partitions: readonly Partition[]): readonly string[]
}

/**
 * One installation never sees another's keys in the same Redis. Short, as they stand in front of
 * every bucket.
 */
export function dedupeKeys(installation: string, clustered: boolean): DedupeKeys {
  const digest = createHash('sha256').update(installation).digest('base64url').slice(0, 8)
  const tags: string[] = []
  return {
    tag,
    of: (partitions) => {
      const keys = partitions.map(tag)
      // The key that never exists (scripts.ts).
      return clustered ? [...keys, `${keys[0]}:never`] : keys
    },
  }

  function tag(partition: Partition): string {
    tags[partition] ??= `sluice:{${digest}:${partition}}`
    return tags[partition]
  }
}
