import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { EventLog, NewRecord, Partition } from '../../parts/event-log/port.ts'
import type { Clock } from '../../runtime/clock.ts'
import { passing } from '../../runtime/moments.ts'
import type { QueuedCall } from '../../runtime/partition-queues.ts'
import { callFailed, openPartitionQueues, partDone } from '../../runtime/partition-queues.ts'
import { second } from '../../std/instant.ts'
import type { Position } from '../../std/position.ts'
import type { EventRange, EventsTrace } from '../../std/trace.ts'
import type { ByteBudget } from '../http/budget.ts'

/** Lines of one request for one partition. A request may have several pieces for one. */
export interface Piece {
  readonly partition: Partition
  /** NDJSON in UTF-8, each line ended by `\n`. It must not change any more. */
  readonly bytes: Uint8Array
  readonly events: number
  /** The `traceparent` of the request, where it is traced. */
  readonly trace?: string
}

export interface Packer {
  /**
   * Appends the pieces of one request together with those of others, and answers the position after
   * them when all are durable. Throws UNAVAILABLE: at once when too much is waiting, or when an
   * append failed that held any of them (then any of them may or may not be in the log).
   */
  append(pieces: readonly Piece[]): Promise<Position>
  /** Resolves when no request waits any more. */
  drained(): Promise<void>
}

export interface PackerNeeds {
  readonly log: EventLog
  readonly budget: ByteBudget
  readonly clock: Clock
  /** Observes `log_append_duration_seconds`. */
  readonly appended: (seconds: number) => void
  readonly recordBytesMax?: number
  readonly appendsInFlightMax?: number
  readonly waitMs?: number
}

/** A request, until all of its pieces are durable or one of them has failed. */
interface Waiting extends QueuedCall {
  /** In ms of the monotonic clock. */
  readonly since: number
  /** Null until the first of its pieces is durable: what waits long should be small. */
  position: Map<Partition, number> | null
  /** Gives back the room that the request took. */
  leave(): void
  resolve(position: Position): void
  reject(error: Fault): void
}

interface Queued {
  readonly piece: Piece
  /** The length of the piece. */
  readonly bytes: number
  readonly call: Waiting
}

/** One record on its way, and the requests whose pieces are in it. */
interface Parcel {
  readonly record: NewRecord
  readonly contents: readonly Queued[]
}

/**
 * Packs the pieces of several requests into records, because the cost of an append hardly depends
 * on its size.
 *
 * Idle: what arrives in one turn of the event loop is appended at its end. Busy (as many appends in
 * flight as allowed): pieces wait, and leave together when an append ends. So a quiet log answers
 * at once, and a loaded one gets few and full records.
 */
export function packer(needs: PackerNeeds): Packer {
  const { budget, clock, log } = needs
  const waitMs = needs.waitMs ?? limits.packerWaitMs
  const inFlightMax = needs.appendsInFlightMax ?? limits.appendsInFlightMax
  const recordBytesMax = needs.recordBytesMax ?? limits.recordBytesMax
  const queues = openPartitionQueues<Queued>()
  const idlers: (() => void)[] = []
  let [inFlight, held] = [0, 0]
  let scheduled = false
  return { append, drained }

  function drained(): Promise<void> {
    if (held === 0) return Promise.resolve()
    return new Promise((resolve) => idlers.push(resolve))
  }

  function append(pieces: readonly Piece[]): Promise<Position> {
    let bytes = 0
    for (const piece of pieces) bytes += piece.bytes.length
    const since = performance.now()
    // A request that would be answered too late is refused now, and not appended.
    const isLate = since - oldest(since) > waitMs
    if (isLate || held + bytes > limits.packerBytesMax || !budget.take(bytes)) {
      return Promise.reject(full())
    }
    held += bytes
    if (!scheduled && inFlight < inFlightMax) {
      scheduled = true
      setImmediate(flush)
    }
    return new Promise((resolve, reject) => {
      const call: Waiting = {
        since,
        left: pieces.length,
        over: false,
        position: null,
        leave: () => leave(bytes),
        resolve,
        reject,
      }
      for (const piece of pieces) {
        queues.add(piece.partition, { piece, bytes: piece.bytes.length, call })
      }
    })
  }

  /** Since when the oldest of the waiting requests waits; `now` when none does. */
  function oldest(now: number): number {
    let since = now
    for (const queue of queues.all()) since = Math.min(since, queue[0]?.call.since ?? now)
    return since
  }

  function leave(bytes: number): void {
    budget.give(bytes)
    held -= bytes
    if (held === 0) for (const resolve of idlers.splice(0)) resolve()
  }

  function flush(): void {
    scheduled = false
    while (inFlight < inFlightMax) {
      const parcels = nextParcels()
      if (parcels.length === 0) break
      inFlight += 1
      void send(parcels)
    }
  }

  /** What the next append carries: at most one record per partition. */
  function nextParcels(): readonly Parcel[] {
    const parcels: Parcel[] = []
    for (const partition of queues.partitions()) {
      // A single piece always fits a record: limits.ts.
      const contents = queues.take(partition, recordBytesMax)
      if (contents.length > 0) parcels.push({ record: recordOf(partition, contents), contents })
    }
    return parcels
  }

  async function send(parcels: readonly Parcel[]): Promise<void> {
    const startedAt = clock.now()
    await deliver(log, parcels)
    needs.appended((clock.now() - startedAt) / second)
    inFlight -= 1
    flush()
  }
}

/** Never throws: a failure is passed on to the requests that had a piece in it. */
async function deliver(log: EventLog, parcels: readonly Parcel[]): Promise<void> {
  try {
    const offsets = await log.append(parcels.map(({ record }) => record))
    passing('appended')
    parcels.forEach(({ contents, record }, index) => {
      const offset = offsets[index]
      if (offset === undefined) throw new Error('The event log did not tell every offset.')
      for (const { call } of contents) settle(call, record.partition, offset + 1)
    })
  } catch (error) {
    for (const { contents } of parcels) {
      for (const { call } of contents) fail(call, error)
    }
  }
}

function settle(call: Waiting, partition: Partition, next: number): void {
  if (call.over) return
  call.position ??= new Map()
  call.position.set(partition, Math.max(next, call.position.get(partition) ?? 0))
  if (!partDone(call)) return
  call.leave()
  call.resolve(call.position)
}

/** A request that is refused for one of its pieces need not come into the log with the others. */
function fail(call: Waiting, error: unknown): void {
  if (!callFailed(call)) return
  call.leave()
  call.reject(error instanceof Fault && error.code === 'UNAVAILABLE' ? error : broken(error))
}

function recordOf(partition: Partition, contents: readonly Queued[]): NewRecord {
  const value = joined(contents)
  let events = 0
  for (const { piece } of contents) events += piece.events
  const traces = tracesOf(contents, events)
  return traces === null ? { partition, value, events } : { partition, value, events, traces }
}

function joined(contents: readonly Queued[]): Uint8Array {
  const [first] = contents
  if (contents.length === 1 && first !== undefined) return first.piece.bytes
  const value = Buffer.allocUnsafe(contents.reduce((sum, { bytes }) => sum + bytes, 0))
  let at = 0
  for (const { piece } of contents) {
    value.set(piece.bytes, at)
    at += piece.bytes.length
  }
  return value
}

/** Null: nothing in it is traced. */
function tracesOf(contents: readonly Queued[], events: number): readonly EventsTrace[] | null {
  let traces: { traceparent: string; range: EventRange }[] | null = null
  let first = 0
  for (const { piece } of contents) {
    const last = first + piece.events - 1
    if (piece.trace !== undefined) {
      traces ??= []
      const before = traces.at(-1)
      if (before?.traceparent === piece.trace && before.range.last === first - 1) {
        before.range = { first: before.range.first, last }
      } else if (traces.length < limits.recordTracesMax) {
        traces.push({ traceparent: piece.trace, range: { first, last } })
      }
    }
    first = last + 1
  }
  const isOfAll = ({ first: from, last }: EventRange) => from === 0 && last === events - 1
  return traces?.map((one) => (isOfAll(one.range) ? { ...one, range: null } : one)) ?? null
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
