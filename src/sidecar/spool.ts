import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '../faults.ts'
import { syncOne } from '../runtime/copying.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Instant } from '../std/instant.ts'
import type { SpoolFrame } from './frame.ts'
import { encodeFrame, frameLines } from './frame.ts'
import { gathering } from './gathering.ts'
import { sidecarLimits } from './limits.ts'
import type { Parcel, ParcelBounds } from './parcel.ts'
import { packing } from './parcel.ts'
import type { SpoolPlace } from './place.ts'
import { openPlaceFile } from './place.ts'
import type { SpoolSegment } from './segment.ts'
import { makeSegment, numberOf, recoverSegment } from './segment.ts'
import { visitFrames } from './segment-file.ts'

/** Keeps events on this machine's disk until the gateway has them. */
export interface Spool {
  /** How many events are not forwarded yet. */
  readonly events: number
  /** How many bytes its files take. */
  readonly bytes: number
  /** When the first of the events was received; null when there is none. */
  readonly oldestAt: Instant | null
  /**
   * Why the spool refused an event within the last seconds: it is full, or the disk failed. Else
   * null.
   */
  readonly trouble: string | null
  /**
   * Resolves when the frame is on the disk. Throws UNAVAILABLE where there is no room now or the
   * disk fails, and REQUEST_TOO_LARGE where there could never be room. Frames that come while
   * others are being synced are synced together.
   */
  append(frame: SpoolFrame): Promise<void>
  /** What to forward next; null when there is nothing. */
  next(bounds: ParcelBounds): Promise<Parcel | null>
  /**
   * Says that the gateway has all of the parcel, or that the rest stands among the dead letters.
   */
  forwarded(parcel: Parcel): Promise<void>
  close(): Promise<void>
}

export interface SpoolNeeds {
  readonly directory: string
  /** The most bytes that its files may take together. */
  readonly bytesMax: number
  readonly logger: Logger
  /** Called when there is something to forward. */
  readonly appended: () => void
}

interface Waiting {
  readonly bytes: Buffer
  readonly frame: SpoolFrame
  resolve(): void
  reject(error: unknown): void
}

const diskTrouble = 'The disk of the spool takes nothing.'

/** How many segments a full spool has: its room is given back segment by segment. */
const segmentsOfSpool = 64

/**
 * A spool of any size costs the same memory, since frames are appended to numbered segments and
 * read back from there. A process appends only to segments of its own, and not behind a write that
 * failed. No number is used twice, so that the place file is right whatever has become of other
 * segments. The caller must hold the directory's lock.
 */
export async function openSpool(needs: SpoolNeeds): Promise<Spool> {
  const { directory, bytesMax, logger, appended } = needs
  const segmentBytes = Math.max(1, Math.floor(bytesMax / segmentsOfSpool))
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const placeFile = await openPlaceFile(join(directory, 'forwarded'))
  let { place } = placeFile
  const segments = await recovered(directory, place, logger)
  let number = Math.max(place.segment, ...segments.map((segment) => segment.number))
  let events = segments.reduce((sum, segment) => sum + segment.events, 0)
  let used = segments.reduce((sum, segment) => sum + segment.bytes, 0)
  let oldestAt: Instant | null = segments[0]?.oldestAt ?? null
  let trouble: string | null = null
  let troubleAt = 0
  let waiting: Waiting[] = []
  let writing: Promise<void> | null = null
  const groups = gathering(sidecarLimits.group)
  return {
    get events() {
      return events
    },
    get bytes() {
      return used
    },
    get oldestAt() {
      return events === 0 ? null : oldestAt
    },
    get trouble() {
      return performance.now() - troubleAt < sidecarLimits.troubleMs ? trouble : null
    },
    append,
    next,
    forwarded,
    close,
  }

  async function append(frame: SpoolFrame): Promise<void> {
    const bytes = encodeFrame(frame)
    if (bytes.length > bytesMax) {
      throw new Fault('REQUEST_TOO_LARGE', `The spool holds ${bytesMax} bytes: send less at once.`)
    }
    if (used + bytes.length > bytesMax) await shed()
    if (used + bytes.length > bytesMax) {
      throw unavailable('The spool is full.')
    }
    used += bytes.length
    await new Promise<void>((resolve, reject) => {
      waiting.push({ bytes, frame, resolve, reject })
      groups.came(bytes.length)
      writing ??= writeAll()
    })
  }

  async function writeAll(): Promise<void> {
    // At the end of this turn of the event loop, so that frames of the same turn go along.
    await undefined
    while (waiting.length > 0) {
      const pause = groups.wait()
      if (pause !== null) await pause
      const group = waiting
      waiting = []
      try {
        await write(group)
        trouble = null
        for (const { resolve } of group) resolve()
        groups.synced(group.length)
        appended()
      } catch (error) {
        if (trouble !== diskTrouble) logger.error({ err: error }, 'Events are refused by the disk.')
        for (const { bytes, reject } of group) {
          used -= bytes.length
          reject(unavailable(diskTrouble))
        }
      }
    }
    writing = null
  }

  function unavailable(why: string): Fault {
    trouble = why
    troubleAt = performance.now()
    return new Fault('UNAVAILABLE', `${why} Try again.`, { retryAfterSeconds: 1 })
  }

  /**
   * The order is what makes the promise true: on the disk, with its name, then counted, then
   * answered.
   */
  async function write(group: readonly Waiting[]): Promise<void> {
    const segment = await current()
    try {
      await segment.append(group.map(({ bytes }) => bytes))
    } catch (error) {
      // No caller was told that any of it is safe. Nothing is written behind it.
      segment.sealed = true
      await dropEmpty(segment)
      throw error
    }
    if (events === 0) oldestAt = group[0]?.frame.receivedAt ?? null
    for (const { frame } of group) {
      segment.events += frame.events
      events += frame.events
    }
  }

  async function current(): Promise<SpoolSegment> {
    const last = segments.at(-1)
    if (last !== undefined && last.bytes >= segmentBytes) last.sealed = true
    if (last !== undefined && !last.sealed) return last
    number += 1
    const made = await makeSegment(directory, number)
    segments.push(made)
    try {
      await syncOne(directory)
    } catch (error) {
      // Its name may not be on the disk: nothing is written there.
      made.sealed = true
      await dropEmpty(made)
      throw error
    }
    return made
  }

  /** A full disk is tried again and again: what each try leaves must not pile up. */
  async function dropEmpty(segment: SpoolSegment): Promise<void> {
    if (segment.bytes > 0 || segments.at(-1) !== segment) return
    segments.pop()
    await removed(segment)
  }

  /** Where everything is forwarded, gives back the room of the segment that is appended to. */
  async function shed(): Promise<void> {
    const last = segments.at(-1)
    if (writing !== null || waiting.length > 0 || last === undefined || events > 0) return
    last.sealed = true
    await drop()
  }

  async function next(bounds: ParcelBounds): Promise<Parcel | null> {
    const packed = packing(bounds)
    const times: Instant[] = []
    let end = place
    let full = false
    for (const segment of [...segments]) {
      if (full) break
      if (segment.number < end.segment) continue
      if (segment.number > end.segment) end = { segment: segment.number, offset: 0, lines: 0 }
      await visitFrames(
        segment.file,
        { from: end.offset, to: segment.bytes },
        {
          frame(found) {
            const lines = frameLines(found)
            let taken = end.lines
            while (taken < lines.length && packed.add(lines[taken] ?? '')) taken += 1
            full = taken < lines.length
            if (taken > end.lines) times.push(found.receivedAt)
            const { number: of } = segment
            end = full
              ? { segment: of, offset: end.offset, lines: taken }
              : { segment: of, offset: found.end, lines: 0 }
            return !full
          },
          unreadable(_from, to) {
            end = { segment: segment.number, offset: to, lines: 0 }
          },
        },
      )
    }
    const [first, last] = [times[0], times.at(-1)]
    if (first === undefined || last === undefined) return null
    oldestAt = first
    full ||= packed.lines.length >= bounds.events
    return { lines: packed.lines, end, oldestAt: first, youngestAt: last, full }
  }

  async function forwarded(parcel: Parcel): Promise<void> {
    place = parcel.end
    events -= parcel.lines.length
    oldestAt = parcel.youngestAt
    try {
      placeFile.write(place)
    } catch (error) {
      logger.warn({ err: error }, 'How far the spool is forwarded could not be written down.')
    }
    await drop()
  }

  /** Removes segments that are forwarded whole and that nothing is appended to any more. */
  async function drop(): Promise<void> {
    for (let [first] = segments; first !== undefined; [first] = segments) {
      const isBehind = first.number < place.segment
      const isOver = first.number === place.segment && place.offset >= first.bytes && first.sealed
      if (!isBehind && !isOver) return
      segments.shift()
      used -= first.bytes
      await removed(first)
    }
  }

  async function removed(segment: SpoolSegment): Promise<void> {
    await segment.remove().catch((error: unknown) => {
      logger.warn({ err: error }, 'A segment that is not needed could not be removed.')
    })
  }

  async function close(): Promise<void> {
    await writing
    for (const segment of segments) await segment.file.close()
    await placeFile.close()
  }
}

async function recovered(
  directory: string,
  place: SpoolPlace,
  logger: Logger,
): Promise<SpoolSegment[]> {
  const names = (await readdir(directory)).filter((name) => numberOf(name) !== null).sort()
  const segments: SpoolSegment[] = []
  for (const name of names) {
    const segment = await recoverSegment(join(directory, name), place, logger)
    if (segment !== null) segments.push(segment)
  }
  const events = segments.reduce((sum, segment) => sum + segment.events, 0)
  if (events > 0) logger.info({ events }, 'The spool holds events from before.')
  return segments
}
