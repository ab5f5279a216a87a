import type { FileHandle } from 'node:fs/promises'
import type { FoundFrame } from './frame.ts'
import { readFrame } from './frame.ts'

const windowBytes = 256 * 1024

/** Is told what a file holds between two places. */
export interface FrameVisitor {
  /** A frame. Answers false to stop there. */
  frame(found: FoundFrame): boolean
  /** Bytes that hold no frame: in the middle, or at the end. */
  unreadable(from: number, to: number): void
}

/**
 * Reads frame after frame through a window, so that a file need not fit into the memory. Bytes that
 * are no frame are skipped by the length that they name, if that ends within the file.
 */
export async function visitFrames(
  file: FileHandle,
  { from, to }: { readonly from: number; readonly to: number },
  visitor: FrameVisitor,
): Promise<void> {
  let [at, wanted] = [from, windowBytes]
  while (at < to) {
    const asked = Math.min(wanted, to - at)
    const window = await readAt(file, at, asked)
    let offset = 0
    for (;;) {
      const reading = readFrame(window, offset)
      if (reading.kind === 'frame') {
        const { frame } = reading
        offset = frame.end
        // Its `end` counts from the start of the file, not of the window.
        if (!visitor.frame({ ...frame, end: at + frame.end })) return
      } else if (reading.kind === 'short') {
        const isCut = at + offset + reading.needed > to || window.length < asked
        if (isCut && at + offset < to) visitor.unreadable(at + offset, to)
        if (isCut) return
        wanted = Math.max(windowBytes, reading.needed)
        break
      } else {
        visitor.unreadable(at + offset, at + reading.next)
        offset = reading.next
        if (offset >= window.length) break
      }
    }
    at += offset
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

/** Writes all of it at `position`: a single write may take only a part. */
export async function writeAt(
  file: FileHandle,
  buffers: readonly Uint8Array[],
  position: number,
): Promise<void> {
  const bytes = buffers.length === 1 ? buffers[0] : Buffer.concat(buffers)
  if (bytes === undefined) return
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(
      bytes,
      written,
      bytes.length - written,
      position + written,
    )
    written += bytesWritten
  }
}
