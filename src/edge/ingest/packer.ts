import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { EventLog, NewRecord, Partition } from '../../parts/event-log/port.ts'
import type { Clock } from '../../runtime/clock.ts'
import { passing } from '../../runtime/moments.ts'
import { second } from '../../std/instant.ts'
import type { Position } from '../../std/position.ts'
import type { ByteBudget } from '../http/budget.ts'

/** Lines of one request for one partition; a request may have several for one. */
export interface Piece {
  readonly partition: Partition
  /** NDJSON, each line ended by `\n`, without half surrogates. */
  readonly text: string
  readonly events: number
}

export interface Packer {
  /**
   * Appends the pieces of one request, with those of others, and answers with the position after
   * them when all are durable. Throws UNAVAILABLE: at once when too much is waiting, or when an
   * append that held any of them failed (then any of them may or may not be in the log).
   */
  append(pieces: readonly Piece[]): Promise<Position>
  /** Resolves when no request waits any more. */
  drained(): Promise<void>
}

export interface PackerPorts {
  readonly log: EventLog
  readonly budget: ByteBudget
  readonly clock: Clock
  /** `log_append_duration_seconds`. */
  readonly appended: (seconds: number) => void
  readonly recordBytesMax?: number
  readonly appendsInFlightMax?: number
  readonly waitMs?: number
}

/** A request until all of its pieces are durable, or one of them failed. */
interface Waiting {
  /** Of the monotonic clock, in ms. */
  readonly since: number
  left: number
  over: boolean
  readonly position: Map<Partition, number>
  /** Gives back the room that it took. */
  leave(): void
  resolve(position: Position): void
  reject(error: Fault): void
}

interface Queued {
  readonly piece: Piece
  readonly bytes: number
  readonly waiting: Waiting
}

/** One record on its way, and whose pieces are in it. */
interface Parcel {
  readonly record: NewRecord
  readonly contents: readonly Queued[]
}

/**
 * Packs across requests, since the price of an append hardly depends on its size.
 *
 * Idle: what arrives in one turn of the event loop is appended at its end. Busy (as many appends in
 * flight as allowed): pieces wait, and leave together when an append ends. So a quiet log answers
 * at once, and a loaded one gets few and full records.
 */
export function packer(ports: PackerPorts): Packer {
  const { budget, clock, log } = ports
  const waitMs = ports.waitMs ?? limits.packerWaitMs
  const inFlightMax = ports.appendsInFlightMax ?? limits.appendsInFlightMax
  const waitingRoom = queues(ports.recordBytesMax ?? limits.recordBytesMax)
  const idlers: (() => void)[] = []
  let [inFlight, held] = [0, 0]
  let scheduled = false
  return { append, drained }

  function drained(): Promise<void> {
    if (held === 0) return Promise.resolve()
    return new Promise((resolve) => idlers.push(resolve))
  }

  function append(pieces: readonly Piece[]): Promise<Position> {
    const sizes = pieces.map(({ text }) => Buffer.byteLength(text))
    let bytes = 0
    for (const size of sizes) bytes += size
    const since = performance.now()
    // Who would be answered too late is refused now, instead of appended and refused then.
    const isLate = since - waitingRoom.oldest(since) > waitMs
    if (isLate || held + bytes > limits.packerBytesMax || !budget.take(bytes)) {
      return Promise.reject(full())
    }
    held += bytes
    if (!scheduled && inFlight < inFlightMax) {
      scheduled = true
      setImmediate(flush)
    }
    return new Promise((resolve, reject) => {
      const position = new Map<Partition, number>()
      const left = pieces.length
      const waiting = {
        since,
        left,
        over: false,
        position,
        leave: () => leave(bytes),
        resolve,
        reject,
      }
      for (const [index, piece] of pieces.entries()) {
        waitingRoom.add({ piece, bytes: sizes[index] ?? 0, waiting })
      }
    })
  }

  function leave(bytes: number): void {
    budget.give(bytes)
    held -= bytes
    if (held === 0) for (const resolve of idlers.splice(0)) resolve()
  }

  function flush(): void {
    scheduled = false
    while (inFlight < inFlightMax) {
      const parcels = waitingRoom.load()
      if (parcels.length === 0) break
      inFlight += 1
      void send(parcels)
    }
  }

  async function send(parcels: readonly Parcel[]): Promise<void> {
    const startedAt = clock.now()
    await deliver(log, parcels)
    ports.appended((clock.now() - startedAt) / second)
    inFlight -= 1
    flush()
  }
}

/** What waits, by partition. */
interface Queues {
  add(queued: Queued): void
  /** Takes what the next append carries: at most one record a partition. */
  load(): readonly Parcel[]
  /** Since when the first of those that wait has waited; `now` when nobody does. */
  oldest(now: number): number
}

function queues(recordBytesMax: number): Queues {
  const byPartition = new Map<Partition, Queued[]>()
  return { add, load, oldest }

  function oldest(now: number): number {
    let first = now
    for (const queue of byPartition.values()) {
      first = Math.min(first, queue[0]?.waiting.since ?? now)
    }
    return first
  }

  function add(queued: Queued): void {
    const { partition } = queued.piece
    const queue = byPartition.get(partition)
    if (queue === undefined) byPartition.set(partition, [queued])
    else queue.push(queued)
  }

  function load(): readonly Parcel[] {
    const parcels: Parcel[] = []
    for (const [partition, queue] of byPartition) {
      const contents = taken(queue)
      if (queue.length === 0) byPartition.delete(partition)
      if (contents.length > 0) parcels.push({ record: recordOf(partition, contents), contents })
    }
    return parcels
  }

  function taken(queue: Queued[]): readonly Queued[] {
    let [bytes, count] = [0, 0]
    for (const queued of queue) {
      const size = queued.waiting.over ? 0 : queued.bytes
      // A piece alone fits a record by construction: limits.ts.
      if (count > 0 && bytes + size > recordBytesMax) break
      bytes += size
      count += 1
    }
    // A request that was refused for its other pieces need not come into the log in part.
    return queue.splice(0, count).filter(({ waiting }) => !waiting.over)
  }
}

/** Never throws: what fails, fails the requests that had a piece in it. */
async function deliver(log: EventLog, parcels: readonly Parcel[]): Promise<void> {
  try {
    const offsets = await log.append(parcels.map(({ record }) => record))
    passing('appended')
    parcels.forEach(({ contents, record }, index) => {
      const offset = offsets[index]
      if (offset === undefined) throw new Error('The event log did not tell every offset.')
      for (const { waiting } of contents) settle(waiting, record.partition, offset + 1)
    })
  } catch (error) {
    for (const { contents } of parcels) {
      for (const { waiting } of contents) fail(waiting, error)
    }
  }
}

function settle(waiting: Waiting, partition: Partition, next: number): void {
  if (waiting.over) return
  waiting.position.set(partition, Math.max(next, waiting.position.get(partition) ?? 0))
  waiting.left -= 1
  if (waiting.left > 0) return
  waiting.over = true
  waiting.leave()
  waiting.resolve(waiting.position)
}

function fail(waiting: Waiting, error: unknown): void {
  if (waiting.over) return
  waiting.over = true
  waiting.leave()
  waiting.reject(error instanceof Fault && error.code === 'UNAVAILABLE' ? error : broken(error))
}

function recordOf(partition: Partition, contents: readonly Queued[]): NewRecord {
  const value = Buffer.allocUnsafe(contents.reduce((sum, { bytes }) => sum + bytes, 0))
  let [at, events] = [0, 0]
  for (const { piece } of contents) {
    at += value.write(piece.text, at, 'utf8')
    events += piece.events
  }
  return { partition, value, events }
}

const full = (): Fault =>
  new Fault('UNAVAILABLE', 'Too many events wait for the event log just now; try again.', {
    retryAfterSeconds: 1,
  })

const broken = (cause: unknown): Fault =>
  new Fault(
    'UNAVAILABLE',
    'The event log did not take the events; send them again with the same ids.',
    { cause, retryAfterSeconds: 1 },
  )
