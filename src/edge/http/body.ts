import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import { millisecond } from '../../std/instant.ts'
import type { ByteBudget } from './budget.ts'
import type { Exchange } from './exchange.ts'
import { slab, tooLarge } from './slab.ts'
import type { UwsResponse } from './uws-surface.ts'

/**
 * A body on its way in.
 *
 * Collecting: kept, up to the bound and the budget. Left by the last byte (complete), or by a
 * refusal (skipping). Skipping: thrown away, for a while. Left by the last byte, or when too much
 * or too long (given up): then the connection must be closed after the answer. Uncollected bodies
 * begin skipping.
 */
export interface IncomingBody {
  /**
   * All of it, when it has come. Throws the faults REQUEST_TOO_LARGE, UNAVAILABLE (no room for it
   * in the budget) and REQUEST_TIMEOUT.
   */
  bytes(): Promise<Buffer>
  /** Lets the rest pass by unread, for a while. Answers whether its end was seen. */
  skip(): boolean | Promise<boolean>
}

/** A request without a body. */
export const noBody: IncomingBody = {
  bytes: () => Promise.resolve(Buffer.alloc(0)),
  skip: () => true,
}

export interface BodyOptions {
  readonly clock: Clock
  readonly budget: ByteBudget
  readonly bytesMax: number
  readonly timing: BodyTiming
  /** Null with chunks. */
  readonly contentLength: number | null
  readonly collect: boolean
}

export interface BodyTiming {
  /** The whole of it. */
  readonly bodyMs: number
  /** From one byte to the next. */
  readonly bodyStallMs: number
  readonly lingerMs: number
  readonly lingerStallMs: number
}

type State = 'collecting' | 'skipping' | 'complete' | 'given up'

export function incomingBody(
  res: UwsResponse,
  exchange: Exchange,
  options: BodyOptions,
): IncomingBody {
  const { bytesMax, clock, timing } = options
  const kept = slab(options.budget, options.contentLength ?? bytesMax, bytesMax)
  let state: State = options.collect ? 'collecting' : 'skipping'
  let [pieces, skipped] = [0, 0]
  let endsAt = exchange.startedAt + timing.bodyMs * millisecond
  let stallMs = options.collect ? timing.bodyStallMs : null
  let refusal: Fault | null = null
  let wake: () => void = () => undefined
  if (options.collect && (options.contentLength ?? 0) > bytesMax) {
    refuse(tooLarge(bytesMax))
  }
  exchange.onOver(kept.release)
  res.onData(receive)
  watch(exchange.startedAt)
  return { bytes, skip }

  function receive(chunk: ArrayBuffer, isLast: boolean): void {
    // Each piece costs a call, whatever is in it.
    pieces += 1
    if (pieces > piecesMax(kept.held + skipped)) {
      exchange.hangUp()
      return
    }
    const fault = state === 'collecting' ? kept.add(chunk) : null
    if (fault !== null) refuse(fault)
    if (state !== 'collecting') skipped += chunk.byteLength
    if (isLast) settle('complete')
    else if (skipped > limits.lingerBytesMax) settle('given up')
    else watch(clock.now())
  }

  function refuse(fault: Fault): void {
    refusal ??= fault
    kept.release()
    settle('skipping')
  }

  function settle(next: State): void {
    state = next
    wake()
  }

  /** Every byte puts off the end by a stall, but the whole must come in time. */
  function watch(now: Instant): void {
    if (stallMs === null || exchange.over) return
    exchange.expireIn(Math.min((endsAt - now) / millisecond, stallMs), late)
  }

  function late(): void {
    if (state === 'complete') return
    refuse(new Fault('REQUEST_TIMEOUT', 'The body of the request did not come in time.'))
    settle('given up')
  }

  async function bytes(): Promise<Buffer> {
    while (state === 'collecting') await changed()
    if (refusal !== null) throw refusal
    return kept.bytes()
  }

  function skip(): boolean | Promise<boolean> {
    return state === 'complete' ? true : rest()
  }

  async function rest(): Promise<boolean> {
    if (state === 'collecting') {
      state = 'skipping'
      kept.release()
    }
    const now = clock.now()
    endsAt = now + timing.lingerMs * millisecond
    stallMs = timing.lingerStallMs
    if (state === 'skipping') watch(now)
    while (state === 'skipping') await changed()
    return state === 'complete'
  }

  function changed(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve
    })
  }
}

/** How many pieces a body may have come in: they cost less than to parse it would. */
const piecesMax = (bytes: number): number => limits.bodyPiecesMin + bytes / limits.bodyPieceBytesMin
