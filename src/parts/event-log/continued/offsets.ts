import assert from 'node:assert/strict'
import type { LogOrigin, LogStart, Offset, Partition } from '../port.ts'

/** Between the offsets that a log stores and those that everybody sees. [machines#moving] */
export interface Offsets {
  shown(partition: Partition, stored: Offset): Offset
  stored(partition: Partition, shown: Offset): Offset
  /** What lies before it is none of the log's. */
  start(partition: Partition): LogStart
}

export function offsetsOf({ starts }: LogOrigin): Offsets {
  return { start, shown, stored }

  function start(partition: Partition): LogStart {
    const found = starts[partition]
    assert(found !== undefined, `The log goes on in ${starts.length} partitions, not ${partition}.`)
    return found
  }

  function shown(partition: Partition, offset: Offset): Offset {
    const { stored, offset: first } = start(partition)
    return offset - stored + first
  }

  function stored(partition: Partition, offset: Offset): Offset {
    // A halted partition is not read: its offset lies past everything.
    if (offset === Number.MAX_SAFE_INTEGER) return offset
    const { stored: first, offset: from } = start(partition)
    return offset - from + first
  }
}

/**
 * A log that goes on where another one ended is another log than the bare one, whose offsets mean
 * something else: a release that does not know of this refuses it.
 */
export const continuedIdentity = (identity: string): string => `${identity}~continued`
