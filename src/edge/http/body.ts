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
 * A body on its way in. Modes:
 *
 * - collecting: the body is kept, up to the bound and the budget. Ended by its last byte (complete)
 *   or by a refusal (skipping).
 * - skipping: the body is thrown away, for a while; a body that is not collected begins here. Ended
 *   by its last byte, or when it is too much or takes too long (given up): then the connection must
 *   be closed after the answer.
 */
export interface IncomingBody {
  /**
   * The whole body, when it has come. Throws the faults REQUEST_TOO_LARGE, UNAVAILABLE (the budget
   * has no room for it) and REQUEST_TIMEOUT.
   */
  bytes(): Promise<Buffer>
  /** Lets the rest pass unread, for a while. Answers whether the body came to its end. */
  skip(): boolean | Promise<boolean>
}

/** For requests without a body. */
export const noBody: IncomingBody = {
  bytes: () => Promise.resolve(Buffer.alloc(0)),
  skip: () => true,
}

export interface BodyNeeds {
  readonly clock: Clock
  readonly budget: ByteBudget
  readonly bytesMax: number
  readonly timing: BodyTiming
  /** Null for a body in chunks. */
  readonly contentLength: number | null
  readonly collect: boolean
}

export interface BodyTiming {
  /** How long the whole body may take. */
  readonly bodyMs: number
  /** How long the next byte may take. */
  readonly bodyStallMs: number
  readonly lingerMs: number
  readonly lingerStallMs: number
}

type State = 'collecting' | 'skipping' | 'complete' | 'given up'

export function incomingBody(res: UwsResponse, exchange: Exchange, needs: BodyNeeds): IncomingBody {
  const { bytesMax, clock, timing } = needs
  const kept = slab(needs.budget, needs.contentLength ?? bytesMax, bytesMax)
  let state: State = needs.collect ? 'collecting' : 'skipping'
  let [pieces, skipped] = [0, 0]
  let endsAt = exchange.startedAt + timing.bodyMs * millisecond
  let stallMs = needs.collect ? timing.bodyStallMs : null
  let refusal: Fault | null = null
  let wake: () => void = () => undefined
  if (needs.collect && (needs.contentLength ?? 0) > bytesMax) {
    refuse(tooLarge(bytesMax))
  }
  exchange.onOver(kept.release)
  res.onData(receive)
  watch(exchange.startedAt)
  return { bytes, skip }

  function receive(chunk: ArrayBuffer, isLast: boolean): void {
    // Counted, because each piece costs a call, however small it is.
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

  /** Every byte puts the deadline off by a stall, but never past that of the whole body. */
  function watch(now: Instant): void {
    if (stallMs === null || exchange.over) return
    exchange.expireIn(Math.min((endsAt - now) / millisecond, stallMs), late)
  }

  function late(): void {
    if (state === 'complete') return
    refuse(new Fault('REQUEST_TIMEOUT', 'The body of the request did not come in time.'))
    settle('given up')
  }

  function bytes(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      wake = () => (refusal === null ? resolve(kept.bytes()) : reject(refusal))
      if (state !== 'collecting') wake()
    })
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

/** How many pieces a body may come in; so many cost less than parsing it does. */
const piecesMax = (bytes: number): number => limits.bodyPiecesMin + bytes / limits.bodyPieceBytesMin
