import type { Partition } from '../../event-log/port.ts'
import { installationTag } from '../../redis-keys.ts'

export interface DedupeKeys {
  /** Where the hash of a partition is, and how all of its keys begin; its slot is in it. */
  tag(partition: Partition): string
  /** For KEYS of a script on these partitions: in a cluster, one partition. */
  of(partitions: readonly Partition[]): readonly string[]
}

export function dedupeKeys(installation: string, clustered: boolean): DedupeKeys {
  const digest = installationTag(installation)
  const tags: string[] = []
  return {
    tag,
    of: (partitions) => {
      const keys = partitions.map(tag)
      // The key that never exists (scripts/buckets.lua).
      return clustered ? [...keys, `${keys[0]}:never`] : keys
    },
  }

  function tag(partition: Partition): string {
    tags[partition] ??= `sluice:{${digest}:${partition}}`
    return tags[partition]
  }
}
