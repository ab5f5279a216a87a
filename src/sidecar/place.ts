import { writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { crc32c } from '../std/crc32c.ts'

/**
 * A place in the spool: everything before it has been forwarded. That is all before the frame at
 * `offset`, and the first `lines` lines of that frame.
 */
export interface SpoolPlace {
  readonly segment: number
  readonly offset: number
  readonly lines: number
}

export const beginning: SpoolPlace = { segment: 0, offset: 0, lines: 0 }

/** Remembers how far the spool has been forwarded. */
export interface PlaceFile {
  readonly place: SpoolPlace
  /**
   * Not synced: after a power cut an older place may be found there. Then what follows it is sent
   * once more, under the same ids. The place is never ahead of what the gateway has answered for.
   * Few bytes that the system keeps: writing them costs less than handing them to another thread.
   */
  write(place: SpoolPlace): void
  close(): Promise<void>
}

const bytesOfPlace = 24

export async function openPlaceFile(path: string): Promise<PlaceFile> {
  const file = await openOrMake(path)
  const bytes = Buffer.alloc(bytesOfPlace)
  const { bytesRead } = await file.read(bytes, 0, bytesOfPlace, 0)
  return {
    place: bytesRead === bytesOfPlace ? decode(bytes) : beginning,
    write(place) {
      writeSync(file.fd, encode(place), 0, bytesOfPlace, 0)
    },
    close: () => file.close(),
  }
}

const openOrMake = (path: string): Promise<FileHandle> =>
  open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return open(path, 'w+', 0o600)
    throw error
  })

function encode({ segment, offset, lines }: SpoolPlace): Buffer {
  const bytes = Buffer.alloc(bytesOfPlace)
  bytes.writeDoubleLE(segment, 0)
  bytes.writeDoubleLE(offset, 8)
  bytes.writeUInt32LE(lines, 16)
  bytes.writeInt32LE(crc32c(bytes, 0, 20), 20)
  return bytes
}

/** Reads a place. Where the bytes are not whole it is the beginning, and all is sent once more. */
function decode(bytes: Buffer): SpoolPlace {
  if (crc32c(bytes, 0, 20) !== bytes.readInt32LE(20)) return beginning
  return {
    segment: bytes.readDoubleLE(0),
    offset: bytes.readDoubleLE(8),
    lines: bytes.readUInt32LE(16),
  }
}
