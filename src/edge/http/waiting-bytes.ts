import { closeSync, ftruncateSync, mkdirSync, openSync, read, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { randomUuid } from '../../runtime/ids.ts'

/** Bytes that wait to be read, in their order. */
export interface WaitingBytes {
  /** How many wait. */
  readonly held: number
  /** Keeps a copy. @throws Error of the file system, where the file cannot take it. */
  put(piece: Uint8Array): void
  /** The next ones; null: none wait. One call at a time. */
  take(): Promise<Uint8Array | null>
  /** None of them is wanted any more. */
  drop(): void
}

const readAt = promisify(read)
const readBytesMax = 256 * 1024

/**
 * Up to `memoryMax` bytes wait in memory, and the others in a file of `folder` that has no name. The
 * HTTP engine goes on reading a connection that has been stopped for as long as its client fills
 * half a megabyte before it asks for more: then nothing but this may take what comes.
 */
export function waitingBytes(memoryMax: number, folder: string): WaitingBytes {
  const memory: Uint8Array[] = []
  let inMemory = 0
  let file: number | null = null
  let [written, given] = [0, 0]
  let [isReading, isDropped] = [false, false]
  return {
    get held() {
      return inMemory + written - given
    },
    put,
    take,
    drop,
  }

  function put(piece: Uint8Array): void {
    if (written === given && inMemory + piece.length <= memoryMax) {
      memory.push(new Uint8Array(piece))
      inMemory += piece.length
      return
    }
    file ??= nameless(folder)
    for (let at = 0; at < piece.length; ) {
      at += writeSync(file, piece, at, piece.length - at, written + at)
    }
    written += piece.length
  }

  async function take(): Promise<Uint8Array | null> {
    const piece = memory.shift()
    if (piece !== undefined) {
      inMemory -= piece.length
      return piece
    }
    if (file === null || written === given) return null
    const bytes = Buffer.allocUnsafe(Math.min(written - given, readBytesMax))
    isReading = true
    const { bytesRead } = await readAt(file, bytes, 0, bytes.length, given).finally(() => {
      isReading = false
      if (isDropped) close()
    })
    if (isDropped) return null
    given += bytesRead
    if (written === given && file !== null) startAgain(file)
    return bytes.subarray(0, bytesRead)
  }

  /** All that was written has been read. */
  function startAgain(file: number): void {
    ftruncateSync(file)
    written = 0
    given = 0
  }

  function drop(): void {
    memory.length = 0
    inMemory = 0
    written = given
    isDropped = true
    if (!isReading) close()
  }

  function close(): void {
    if (file !== null) closeSync(file)
    file = null
  }
}

/** It goes with the process, however that ends. */
function nameless(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `.body-${randomUuid()}`)
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  return file
}
