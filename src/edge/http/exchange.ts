import { limits } from '../../limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import type { Answer, Envelope } from './answer.ts'
import { payloadOf, write } from './answer.ts'
import type { Reply } from './route.ts'
import type { UwsResponse } from './uws-surface.ts'

/** How an exchange ended; 499 when the caller hung up before the answer. */
export type Ended = (status: number) => void

/**
 * One request until its answer is written or its caller is gone. uWS ends the process when a
 * handler returns without an answer or an aborted handler, and throws when a response is used after
 * either of them: nobody but this file touches a response's end.
 */
export interface Exchange {
  readonly startedAt: Instant
  readonly over: boolean
  /** As the socket has it; empty once it is over. */
  address(): string
  /**
   * Writes the answer; does nothing when there is one already. One that closes the connection is
   * written when the engine has done with all that one read brought. Throws what JSON throws.
   */
  answer(reply: Reply, envelope: Envelope): void
  /** Nothing that came behind this request is looked at; its answer must close the connection. */
  last(): void
  /** Ends the connection without an answer, and whatever else one read brought with it. */
  hangUp(): void
  /** Calls `expired` in about `ms`, instead of what was to expire before. */
  expireIn(ms: number, expired: () => void): void
  /** Called once, when it is over. */
  onOver(ended: Ended): void
}

export interface Exchanges {
  readonly open: number
  start(res: UwsResponse): Exchange
  /** Resolves when none is open. */
  drained(): Promise<void>
  /** Hangs up on all that are open. */
  abandon(): void
  /** Stops looking at deadlines. */
  close(): void
}

/** One timer for all: a timer a request would cost more than the rest of its bookkeeping. */
export function exchanges(clock: Clock, stepMs: number): Exchanges {
  const all = new Set<Live>()
  const waiting: (() => void)[] = []
  let step = 0
  const timer = setInterval(() => {
    step += 1
    for (const live of all) if (step >= live.expiresAt) live.expire()
  }, stepMs)
  timer.unref()
  return {
    get open() {
      return all.size
    },
    start,
    drained: () =>
      all.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
    abandon: () => {
      for (const live of all) live.hangUp()
    },
    close: () => clearInterval(timer),
  }

  function start(res: UwsResponse): Exchange {
    const live = exchange(res, clock.now(), {
      stepAfter: (ms) => step + Math.max(1, Math.ceil(ms / stepMs)),
      ended: () => {
        all.delete(live)
        if (all.size === 0) for (const resolve of waiting.splice(0)) resolve()
      },
    })
    all.add(live)
    return live
  }
}

interface Live extends Exchange {
  over: boolean
  expiresAt: number
  expire(): void
}

interface Home {
  stepAfter(ms: number): number
  ended(): void
}

/**
 * Plain fields, no getters: an object literal with a getter has a hidden class of its own, which
 * V8 keeps with all that it leads to until the next full collection. A request must be able to die
 * young.
 */
function exchange(res: UwsResponse, startedAt: Instant, home: Home): Live {
  const listeners: Ended[] = []
  let expired: () => void = () => undefined
  let answered = false
  const live: Live = {
    startedAt,
    over: false,
    address: () => (live.over ? '' : Buffer.from(res.getRemoteAddressAsText()).toString('latin1')),
    expiresAt: Number.POSITIVE_INFINITY,
    answer,
    last: () => res.last?.(),
    expireIn(ms, then) {
      live.expiresAt = home.stepAfter(ms)
      expired = then
    },
    expire() {
      live.expiresAt = Number.POSITIVE_INFINITY
      expired()
    },
    onOver: (ended) => listeners.push(ended),
    hangUp() {
      // Runs the aborted handler.
      if (!live.over) res.close()
    },
  }
  res.onAborted(() => end(499))
  return live

  function answer(reply: Reply, envelope: Envelope): void {
    if (live.over || answered) return
    const whole: Answer = { reply, payload: payloadOf(reply), envelope }
    answered = true
    if (!envelope.close) {
      give(whole)
      return
    }
    // The parser goes on when we return, and would carry out what it finds behind a request that is
    // answered; behind one that is not, it hangs up.
    setImmediate(leave, whole)
  }

  function leave(whole: Answer): void {
    if (live.over) return
    // An answer that does not fit the socket leaves it open for a while, and readable.
    res.pause()
    give(whole)
  }

  function give(whole: Answer): void {
    write(res, whole, () => end(whole.reply.status))
    // Whoever reads it in crumbs is waited for no longer than one who writes so.
    if (!live.over) live.expireIn(limits.bodyMs, live.hangUp)
  }

  function end(status: number): void {
    if (live.over) return
    live.over = true
    home.ended()
    for (const ended of listeners) ended(status)
  }
}
