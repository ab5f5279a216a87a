import type { FileHandle } from 'node:fs/promises'
import { constants, open, rename, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Logger } from '../runtime/logger.ts'
import type { Instant } from '../std/instant.ts'
import type { SpoolPlace } from './place.ts'
import { visitFrames, writeAt } from './segment-file.ts'

/** A file of frames. */
export interface SpoolSegment {
  readonly number: number
  readonly file: FileHandle
  /** How many bytes at its beginning are on the disk and may be read. */
  readonly bytes: number
  /** How many events were not forwarded when it was opened, and have been appended since. */
  events: number
  /** When the first of them was received, where that is known. */
  readonly oldestAt: Instant | null
  /** Nothing is appended to it any more. */
  sealed: boolean
  /** Resolves when all frames are on the disk. Cuts off what a failed write has left. */
  append(frames: readonly Uint8Array[]): Promise<void>
  /** Closes and removes the file; one with bytes that could not be read is put aside instead. */
  remove(): Promise<void>
}

const pattern = /^(\d{10})\.spool$/

/** The number of a segment by the name of its file; null where that names no segment. */
export function numberOf(name: string): number | null {
  const text = pattern.exec(name)?.[1]
  return text === undefined ? null : Number(text)
}

const { O_CREAT, O_DSYNC, O_EXCL, O_RDWR } = constants

/**
 * On Linux a write ends when its bytes are on the disk, as `datasync` behind it would make sure: so
 * a group takes one turn of the thread pool and not two, which cost as much as the rest of it. On
 * macOS a disk may keep such a write to itself.
 */
const writesAreSynced = process.platform === 'linux'

const flags = O_CREAT | O_EXCL | O_RDWR | (writesAreSynced ? O_DSYNC : 0)

export async function makeSegment(directory: string, number: number): Promise<SpoolSegment> {
  const path = join(directory, `${String(number).padStart(10, '0')}.spool`)
  const file = await open(path, flags, 0o600)
  return segmentOf({
    path,
    file,
    number,
    bytes: 0,
    events: 0,
    oldestAt: null,
    sealed: false,
    damaged: false,
  })
}

/**
 * Opens a segment of an earlier process. A crash may have left a part of a write behind the last
 * whole frame: that is cut off, since no caller was told that it is safe. Where nothing is left to
 * forward, it removes the segment and answers null.
 */
export async function recoverSegment(
  path: string,
  place: SpoolPlace,
  logger: Logger,
): Promise<SpoolSegment | null> {
  const number = numberOf(basename(path)) ?? 0
  const file = await open(path, 'r+')
  const from = number === place.segment ? place.offset : 0
  const found = await contentsOf(file, from)
  const { size, end } = found
  const lines = number === place.segment ? place.lines : 0
  const events = found.events - lines
  const name = basename(path)
  if (number >= place.segment && end < size) {
    logger.warn({ name, bytes: size - end }, 'A write that a crash cut short is cut off.')
  }
  if (number < place.segment || events <= 0) {
    await file.close()
    await unlink(path)
    return null
  }
  if (end < size) await file.truncate(end)
  const { damaged } = found
  if (damaged) logger.error({ name }, 'A segment of the spool holds bytes that cannot be read.')
  const { oldestAt } = found
  return segmentOf({ path, file, number, bytes: end, events, oldestAt, sealed: true, damaged })
}

interface Contents {
  readonly size: number
  /** Where the last whole frame ends. */
  readonly end: number
  readonly events: number
  readonly oldestAt: Instant | null
  /** A whole frame stands behind bytes that are no frame. */
  readonly damaged: boolean
}

async function contentsOf(file: FileHandle, from: number): Promise<Contents> {
  const { size } = await file.stat()
  let [end, events, holes, damaged] = [Math.min(from, size), 0, 0, false]
  let oldestAt: Instant | null = null
  await visitFrames(
    file,
    { from: end, to: size },
    {
      frame(found) {
        oldestAt ??= found.receivedAt
        events += found.events
        end = found.end
        damaged ||= holes > 0
        return true
      },
      unreadable() {
        holes += 1
      },
    },
  )
  return { size, end, events, oldestAt, damaged }
}

interface SegmentState extends Omit<SpoolSegment, 'append' | 'remove'> {
  readonly path: string
  readonly damaged: boolean
}

function segmentOf(state: SegmentState): SpoolSegment {
  const { path, file, number, oldestAt, damaged } = state
  let { bytes } = state
  const segment: SpoolSegment = {
    number,
    file,
    oldestAt,
    events: state.events,
    sealed: state.sealed,
    get bytes() {
      return bytes
    },
    append,
    remove,
  }
  return segment

  async function append(frames: readonly Uint8Array[]): Promise<void> {
    try {
      await writeAt(file, frames, bytes)
      if (!writesAreSynced) await file.datasync()
    } catch (error) {
      await file.truncate(bytes).catch(() => undefined)
      throw error
    }
    bytes += frames.reduce((sum, frame) => sum + frame.length, 0)
  }

  async function remove(): Promise<void> {
    await file.close()
    if (damaged) await rename(path, `${path}.damaged`)
    else await unlink(path)
  }
}
