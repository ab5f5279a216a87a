import type { Partition } from '../../event-log/port.ts'
import { installationTag } from '../../redis-keys.ts'

export interface DedupeKeys {
  /**
   * The key of a partition's hash, and the beginning of all its other keys; it names the cluster
   * slot.
   */
  tag(partition: Partition): string
  /** The KEYS of a script on these partitions; in a cluster that is always one partition. */
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
