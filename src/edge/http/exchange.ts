import { limits } from '../../limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import type { Answer, Envelope } from './answer.ts'
import { announce, begin, payloadOf, write } from './answer.ts'
import type { Content } from './content.ts'
import { sendContent } from './content.ts'
import type { Flowing, OpenOutlet } from './flowing.ts'
import { openOutlet } from './flowing.ts'
import type { Reply } from './route.ts'
import type { UwsResponse } from './uws-surface.ts'

/** Called when an exchange has ended; with 499 when the client hung up before the answer. */
export type Ended = (status: number) => void

/** Of what was thrown: what is answered. */
export type Unread = (error: unknown) => Reply

/**
 * One request, until its answer is written or its client is gone. uWS ends the process when a
 * handler returns without an answer or a handler for aborts, and throws when a response is used
 * after its end. So only this file answers or aborts a response.
 */
export interface Exchange {
  readonly startedAt: Instant
  readonly over: boolean
  /** When an answer began whose body goes on, and that body; null: there is none. */
  readonly beganAt: Instant | null
  readonly outlet: OpenOutlet | null
  /** The address of the socket; empty once the exchange is over. */
  address(): string
  /**
   * Writes the answer; does nothing when there is one already. An answer that closes the connection
   * is written when the HTTP engine has finished with everything that one read of the socket
   * brought. Throws what JSON.stringify throws. `unread` makes the answer in place of one whose
   * content cannot be had.
   */
  answer(reply: Reply, envelope: Envelope, unread?: Unread): void
  /**
   * Nothing that follows this request on its connection is read; its answer must close the
   * connection.
   */
  last(): void
  /** Ends the connection without an answer, with everything else that the same read brought. */
  hangUp(): void
  /** Calls `expired` in about `ms`; replaces an earlier deadline. */
  expireIn(ms: number, expired: () => void): void
  /** Calls `ended` once, when the exchange is over. */
  onOver(ended: Ended): void
}

export interface Exchanges {
  readonly open: number
  start(res: UwsResponse): Exchange
  /** Ends the answers whose bodies go on, now and as soon as others begin. */
  endFlowing(): void
  /** Resolves when no exchange is open. */
  drained(): Promise<void>
  /** Hangs up on all open exchanges. */
  abandon(): void
  /** Stops looking at deadlines. */
  close(): void
}

/**
 * One timer for all exchanges: one for each request would cost more than the rest of its
 * bookkeeping.
 */
export function exchanges(clock: Clock, stepMs: number): Exchanges {
  const all = new Set<Live>()
  const waiting: (() => void)[] = []
  let step = 0
  let ending = false
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
    endFlowing: () => {
      ending = true
      for (const live of all) live.outlet?.end()
    },
    drained: () =>
      all.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
    abandon: () => {
      for (const live of all) live.hangUp()
    },
    close: () => clearInterval(timer),
  }

  function start(res: UwsResponse): Exchange {
    const live = exchange(res, clock.now(), {
      now: clock.now,
      isEnding: () => ending,
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
  beganAt: Instant | null
  outlet: OpenOutlet | null
  expiresAt: number
  expire(): void
}

interface Home {
  now(): Instant
  /** No answer may go on. */
  isEnding(): boolean
  stepAfter(ms: number): number
  ended(): void
}

/**
 * Plain fields, no getters: an object literal with a getter gets a hidden class of its own, which
 * V8 keeps, with everything that it leads to, until the next full collection. Requests must be
 * collected early.
 */
function exchange(res: UwsResponse, startedAt: Instant, home: Home): Live {
  const listeners: Ended[] = []
  let expired: () => void = () => undefined
  let answered = false
  const live: Live = {
    startedAt,
    over: false,
    beganAt: null,
    outlet: null,
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
      // This calls the handler for aborts.
      if (!live.over) res.close()
    },
  }
  // Who leaves an answer that goes on has had what there was.
  res.onAborted(() => end(live.outlet === null ? 499 : 200))
  return live

  function answer(reply: Reply, envelope: Envelope, unread?: Unread): void {
    if (live.over || answered) return
    const whole: Answer = { reply, payload: payloadOf(reply), envelope }
    answered = true
    if (reply.flowing !== undefined && !envelope.headOnly) {
      flow(whole, reply.flowing)
      return
    }
    if (reply.content !== undefined && !envelope.headOnly) {
      stream(whole, reply.content, unread)
      return
    }
    if (!envelope.close) {
      give(whole)
      return
    }
    // When we return, the parser goes on: behind a request that is answered it would carry out what
    // it finds next; behind one that is not, it hangs up. So the answer is written later.
    setImmediate(leave, whole)
  }

  /** A client that takes nothing more of it for a while is hung up on. */
  function stream(whole: Answer, content: Content, unread?: Unread): void {
    if (whole.envelope.close) res.last?.()
    const progressed = (): void => {
      if (!live.over) live.expireIn(limits.bodyMs, live.hangUp)
    }
    progressed()
    void sendContent(res, content, {
      isOver: () => live.over,
      onOver: (over) => listeners.push(over),
      progressed,
      begin: () => announce(res, whole),
      written: () => end(whole.reply.status),
      unread: (error) => refuse(error, whole, unread),
      failed: live.hangUp,
    })
  }

  /** Nothing of an answer was to be had: it is another one. */
  function refuse(error: unknown, { envelope }: Answer, unread?: Unread): void {
    const reply = unread?.(error)
    if (reply === undefined) live.hangUp()
    else give({ reply, payload: payloadOf(reply), envelope })
  }

  /** Never answered whole, so that the parser hangs up on whatever comes behind it. */
  function flow(whole: Answer, { beginning, filler, opened }: Flowing): void {
    res.last?.()
    const fits = begin(res, whole, beginning)
    live.beganAt = home.now()
    live.outlet = openOutlet(res, { filler, fits, ended: () => end(whole.reply.status) })
    if (home.isEnding()) live.outlet.end()
    else opened(live.outlet)
  }

  function leave(whole: Answer): void {
    if (live.over) return
    // An answer that does not fit into the socket leaves the connection open for a while, and
    // readable.
    res.pause()
    give(whole)
  }

  function give(whole: Answer): void {
    write(res, whole, () => end(whole.reply.status))
    // A client that reads an answer slowly is waited for as long as one that sends a body slowly.
    if (!live.over) live.expireIn(limits.bodyMs, live.hangUp)
  }

  function end(status: number): void {
    if (live.over) return
    live.over = true
    live.outlet?.closed()
    home.ended()
    for (const ended of listeners) ended(status)
  }
}
