import assert from 'node:assert/strict'
import type { Instant } from '../../../std/instant.ts'
import { instantOf } from '../../../std/instant.ts'
import type { LogRecord, NewRecord, Offset, Partition } from '../port.ts'

/**
 * A record at rest, little-endian:
 *
 *   0        8         12        16
 *   | log time µs (f64) | events | zero | value …
 */
const headerBytes = 16

/** Copies, so that the caller may use its buffer again at once. The commit stamps the log time. */
export function encodeRecord({ value, events }: NewRecord): Buffer {
  assert(Number.isSafeInteger(events) && events > 0 && events <= 0xffffffff)
  const bytes = Buffer.allocUnsafe(headerBytes + value.length)
  bytes.writeUInt32LE(events, 8)
  bytes.writeUInt32LE(0, 12)
  bytes.set(value, headerBytes)
  return bytes
}

export function stampRecord(bytes: Buffer, at: Instant): void {
  bytes.writeDoubleLE(at, 0)
}

export function decodeRecord(partition: Partition, offset: Offset, bytes: Uint8Array): LogRecord {
  assert(bytes.length >= headerBytes, 'A record of the event log is shorter than its header.')
  const view = new DataView(bytes.buffer, bytes.byteOffset, headerBytes)
  return {
    partition,
    offset,
    at: instantOf(view.getFloat64(0, true)),
    events: view.getUint32(8, true),
    value: bytes.subarray(headerBytes),
  }
}
