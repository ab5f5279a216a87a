import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import { millisecond } from '../../std/instant.ts'
import type { BodyNeeds, IncomingBody } from './body.ts'
import type { Exchange } from './exchange.ts'
import { tooLarge } from './slab.ts'
import type { UwsResponse } from './uws-surface.ts'
import { waitingBytes } from './waiting-bytes.ts'

/** A body that is read while it comes, so that it may be larger than what memory holds. */
export interface StreamedBody extends IncomingBody {
  /**
   * The pieces, once. Throws the faults REQUEST_TOO_LARGE, UNAVAILABLE and REQUEST_TIMEOUT; the
   * last one, too, when its client hangs up.
   */
  pieces(): AsyncIterable<Uint8Array>
}

/** The pieces of a body; none where there is no body. */
export const piecesOf = (body: IncomingBody | StreamedBody): AsyncIterable<Uint8Array> =>
  'pieces' in body ? body.pieces() : nothing()

async function* nothing(): AsyncIterable<Uint8Array> {
  yield* []
}

/** What may wait to be read: beyond the one the connection stops, below the other it goes on. */
const [heldMax, heldLow] = [512 * 1024, 128 * 1024]
/** What may wait in memory: as much, and one more piece of the HTTP engine. */
const memoryMax = 1024 * 1024
/** How long nobody may read what has come. */
const readerMs = 120_000

type StreamNeeds = Omit<BodyNeeds, 'collect'> & {
  /** The last byte has come: from here on the time of the handler counts. */
  readonly completed: () => void
  /** Where a file may take what comes faster than it is read. */
  readonly spillFolder: string
}

/**
 * Modes: reading (pieces wait for the reader, and the connection stops when too many do); skipping
 * (what still comes is thrown away, for a while); complete; given up, after which the connection
 * must be closed.
 */
export function streamedBody(
  res: UwsResponse,
  exchange: Exchange,
  needs: StreamNeeds,
): StreamedBody {
  const { bytesMax, budget, timing } = needs
  const waiting = waitingBytes(memoryMax, needs.spillFolder)
  let state: 'reading' | 'skipping' | 'complete' | 'given up' = 'reading'
  let [came, skipped, count] = [0, 0, 0]
  let [isHeld, isRead, refusal]: [boolean, boolean, Fault | null] = [false, false, null]
  let wake: () => void = () => undefined
  const taken = budget.take(memoryMax)
  if (!taken) refuse(new Fault('UNAVAILABLE', 'Too much is in flight just now; try again.'))
  if ((needs.contentLength ?? 0) > bytesMax) refuse(tooLarge(bytesMax))
  exchange.onOver(() => {
    if (taken) budget.give(memoryMax)
    // A handler that has begun to read what has come as a whole may go on.
    if (state === 'complete' && isRead) return
    refusal ??= new Fault('REQUEST_TIMEOUT', 'The client is gone.')
    waiting.drop()
    if (state !== 'complete') settle('given up')
  })
  res.onData(receive)
  watch(timing.bodyStallMs)
  return { bytes: () => Promise.reject(new Error('A streamed body is not kept.')), skip, pieces }

  function receive(chunk: ArrayBuffer, isLast: boolean): void {
    count += 1
    came += chunk.byteLength
    if (count > limits.bodyPiecesMin + came / limits.bodyPieceBytesMin) {
      exchange.hangUp()
      return
    }
    if (state === 'reading') keep(chunk)
    else skipped += chunk.byteLength
    if (isLast) complete()
    else if (skipped > limits.lingerBytesMax) settle('given up')
    else watch(isHeld ? readerMs : timing.bodyStallMs)
  }

  function keep(chunk: ArrayBuffer): void {
    if (came > bytesMax) {
      refuse(tooLarge(bytesMax))
      return
    }
    try {
      waiting.put(new Uint8Array(chunk))
    } catch {
      refuse(new Fault('UNAVAILABLE', 'There is no room for so large a body just now; try again.'))
      return
    }
    if (waiting.held > heldMax && !isHeld) hold(true)
    wake()
  }

  function complete(): void {
    const wasReading = state === 'reading'
    settle('complete')
    if (wasReading) needs.completed()
  }

  function hold(now: boolean): void {
    isHeld = now
    if (exchange.over) return
    if (now) (res.holdBody ?? res.pause).call(res)
    else (res.goOnBody ?? res.resume)?.call(res)
  }

  function refuse(fault: Fault): void {
    refusal ??= fault
    waiting.drop()
    settle('skipping')
  }

  function settle(next: typeof state): void {
    state = next
    // All of it has come, or what still comes is thrown away: the connection goes on.
    if (isHeld && next !== 'given up') hold(false)
    wake()
  }

  function watch(ms: number): void {
    if (exchange.over || state === 'complete') return
    exchange.expireIn(ms, () => {
      if (state === 'complete') return
      refusal ??= new Fault('REQUEST_TIMEOUT', 'The body of the request did not come in time.')
      settle('given up')
    })
  }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    isRead = true
    try {
      for (;;) {
        if (refusal !== null) throw refusal
        if (waiting.held > 0) {
          const piece = await waiting.take()
          if (isHeld && waiting.held < heldLow) {
            hold(false)
            watch(timing.bodyStallMs)
          }
          if (piece !== null && refusal === null) yield piece
        } else if (state === 'complete') return
        else await changed()
      }
    } finally {
      waiting.drop()
      if (state === 'reading') settle('skipping')
    }
  }

  async function skip(): Promise<boolean> {
    if (state === 'reading') settle('skipping')
    const endsAt = needs.clock.now() + timing.lingerMs * millisecond
    while (state === 'skipping') {
      const left = (endsAt - needs.clock.now()) / millisecond
      if (left <= 0) settle('given up')
      else {
        watch(Math.min(left, timing.lingerStallMs))
        await changed()
      }
    }
    return state === 'complete'
  }

  function changed(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve
    })
  }
}
