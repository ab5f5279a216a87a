import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '../../../faults.ts'
import { limits } from '../../../limits.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { loop } from '../../../runtime/loop.ts'
import type { LmdbEnvironment } from '../../lmdb.ts'

export interface DiskRoomNeeds {
  readonly environment: LmdbEnvironment
  readonly directory: string
  /** Most bytes that untrimmed records may occupy. */
  readonly budgetBytes: number
  /** Bytes of the disk that the log leaves free. */
  readonly diskReserveBytes: number
  readonly checkIntervalMs: number
  readonly logger: Logger
}

/** Decides, before anything is written, whether there is room for it. [machines#backpressure] */
export interface DiskRoom {
  /** Why there is no room for `bytes` more; null: there is. */
  lacks(bytes: number): string | null
  /** Reserves `bytes`, or throws the fault UNAVAILABLE. */
  reserve(bytes: number): void
  /**
   * Looks once more before `bytes` are written, since others may have filled the disk since the
   * loop looked: a disk that is full in the middle of a transaction can end the process. Where a
   * moment ago there was more than others fill in a moment, that will do. Answers why not to write;
   * null: there is room.
   */
  exhausted(bytes: number): Promise<Error | null>
  /** Ends a reservation: the bytes are in the log (`stored`), or they never will be. */
  settle(bytes: number, stored: boolean): void
  close(): void
}

/**
 * A loop reads pages in use and free disk, because trims happen in other threads and others fill
 * the disk, too; between two readings the appends are added on top.
 */
export async function openDiskRoom(options: DiskRoomNeeds): Promise<DiskRoom> {
  const { environment, directory, budgetBytes, diskReserveBytes } = options
  let [used, fileBytes, diskFree] = [0, 0, 0]
  let [pending, stored, lookedAt] = [0, 0, 0]
  await look()
  const looking = loop({
    name: 'room on the disk',
    idleMs: options.checkIntervalMs,
    restsFirst: true,
    logger: options.logger,
    async work() {
      // After a reading that fails the last one holds; the disk itself refuses what does not fit.
      await look().catch(() => undefined)
      return false
    },
  })
  looking.start()
  return { lacks, reserve, exhausted, settle, close: () => void looking.stop() }

  async function look(): Promise<void> {
    const disk = await statfs(directory)
    const file = await stat(join(directory, 'data.mdb'))
    lookedAt = performance.now()
    environment.refresh()
    used = environment.usedBytes()
    fileBytes = file.size
    diskFree = disk.bavail * disk.bsize
    stored = 0
  }

  function lacks(bytes: number): string | null {
    const kept = used + stored + pending + bytes
    if (kept > budgetBytes) {
      return 'The event log has reached its budget of bytes and waits to be measured.'
    }
    // The file never shrinks: pages that trimming has freed are room without taking any disk. A
    // quarter is left for fragments and for pages that a reader still holds.
    const fits = kept <= fileBytes * 0.75
    const isFull = !fits && diskFree - stored - pending - bytes < diskReserveBytes
    return isFull ? 'The disk of the event log is too full to accept more.' : null
  }

  function reserve(bytes: number): void {
    const why = lacks(bytes)
    if (why !== null) throw unavailable(why)
    pending += bytes
  }

  async function exhausted(bytes: number): Promise<Error | null> {
    const isFresh = performance.now() - lookedAt < 2 * options.checkIntervalMs
    if (isFresh && diskFree - stored - pending >= limits.diskAmpleBytes) return null
    // A reading that fails says nothing: the disk itself refuses what does not fit.
    const disk = await statfs(directory).catch(() => null)
    if (disk === null) return null
    const isSafe = disk.bavail * disk.bsize >= 2 * bytes + limits.logCommitSpareBytes
    return isSafe ? null : new Error('No space is left on the disk of the event log.')
  }

  function settle(bytes: number, isStored: boolean): void {
    pending -= bytes
    if (isStored) stored += bytes
  }
}

export const unavailable = (message: string, options: ErrorOptions = {}): Fault =>
  new Fault('UNAVAILABLE', message, { retryAfterSeconds: 5, ...options })
