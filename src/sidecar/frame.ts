import { crc32c } from '../std/crc32c.ts'
import type { Instant } from '../std/instant.ts'
import { instantOf } from '../std/instant.ts'

/** What one write adds to the spool: the events of one request, each a line of JSON. */
export interface SpoolFrame {
  /** Lines, each ending in a line feed. */
  readonly text: string
  readonly events: number
  readonly receivedAt: Instant
}

/** A frame that was read, and where the next one begins. */
export interface FoundFrame {
  readonly lines: Uint8Array
  readonly events: number
  readonly receivedAt: Instant
  readonly end: number
}

/*
 *  0        4        8                16       20
 *  | length | crc32c | receivedAt     | events | lines …
 *           `------- the sum is of what follows it, the length counts what follows the sum
 */
const headBytes = 8
const fixedBytes = 12

export function encodeFrame({ text, events, receivedAt }: SpoolFrame): Buffer {
  const length = fixedBytes + Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(headBytes + length)
  bytes.writeUInt32LE(length, 0)
  bytes.writeDoubleLE(receivedAt, 8)
  bytes.writeUInt32LE(events, 16)
  bytes.write(text, 20, 'utf8')
  bytes.writeInt32LE(crc32c(bytes, headBytes, bytes.length), 4)
  return bytes
}

/**
 * What stands at an offset. `short`: `needed` bytes from there would tell, and fewer are at hand.
 * `unreadable`: it is no whole frame; `next` is where it would end by its own length.
 */
export type Reading =
  | { readonly kind: 'frame'; readonly frame: FoundFrame }
  | { readonly kind: 'short'; readonly needed: number }
  | { readonly kind: 'unreadable'; readonly next: number }

export function readFrame(bytes: Buffer, from: number): Reading {
  if (from + headBytes > bytes.length) return { kind: 'short', needed: headBytes }
  const length = bytes.readUInt32LE(from)
  const [start, end] = [from + headBytes, from + headBytes + length]
  if (length <= fixedBytes) return { kind: 'unreadable', next: start }
  if (end > bytes.length) return { kind: 'short', needed: headBytes + length }
  if (crc32c(bytes, start, end) !== bytes.readInt32LE(from + 4)) {
    return { kind: 'unreadable', next: end }
  }
  const frame = {
    receivedAt: instantOf(bytes.readDoubleLE(start)),
    events: bytes.readUInt32LE(start + 8),
    lines: bytes.subarray(start + fixedBytes, end),
    end,
  }
  return { kind: 'frame', frame }
}

export const frameLines = ({ lines }: FoundFrame): readonly string[] =>
  Buffer.from(lines.buffer, lines.byteOffset, lines.length - 1)
    .toString('utf8')
    .split('\n')
