import { limits } from '../../limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import type { Listed } from '../../std/roster.ts'
import { roster } from '../../std/roster.ts'
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
  const all = roster<Live>()
  const waiting: (() => void)[] = []
  let step = 0
  let ending = false
  const home: Home = {
    now: clock.now,
    isEnding: () => ending,
    stepAfter: (ms) => step + Math.max(1, Math.ceil(ms / stepMs)),
    ended(live) {
      all.remove(live)
      if (all.size === 0) for (const resolve of waiting.splice(0)) resolve()
    },
  }
  const timer = setInterval(() => {
    step += 1
    for (const live of all.members()) if (step >= live.expiresAt) live.expire()
  }, stepMs)
  timer.unref()
  return {
    get open() {
      return all.size
    },
    start,
    endFlowing: () => {
      ending = true
      for (const live of all.members()) live.outlet?.end()
    },
    drained: () =>
      all.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
    abandon: () => {
      for (const live of all.members()) live.hangUp()
    },
    close: () => clearInterval(timer),
  }

  function start(res: UwsResponse): Exchange {
    const live = new Live(res, home)
    all.add(live)
    return live
  }
}

interface Home {
  now(): Instant
  /** No answer may go on. */
  isEnding(): boolean
  stepAfter(ms: number): number
  ended(live: Live): void
}

/**
 * A class, because there are many at a time, each of which collections copy while it waits: every
 * function of its own would be one more object. Plain fields, no getters: an object literal with a
 * getter gets a hidden class of its own, which V8 keeps, with everything that it leads to, until
 * the next full collection. Requests must be collected early.
 */
class Live implements Exchange, Listed {
  readonly startedAt: Instant
  place = 0
  over = false
  beganAt: Instant | null = null
  outlet: OpenOutlet | null = null
  expiresAt = Number.POSITIVE_INFINITY
  readonly #res: UwsResponse
  readonly #home: Home
  #listeners: Ended[] = []
  #expired: () => void = nothing
  #answered = false

  constructor(res: UwsResponse, home: Home) {
    this.#res = res
    this.#home = home
    this.startedAt = home.now()
    // Who leaves an answer that goes on has had what there was.
    res.onAborted(() => this.#end(this.outlet === null ? 499 : 200))
  }

  address(): string {
    return this.over ? '' : Buffer.from(this.#res.getRemoteAddressAsText()).toString('latin1')
  }

  last(): void {
    this.#res.last?.()
  }

  expireIn(ms: number, then: () => void): void {
    this.expiresAt = this.#home.stepAfter(ms)
    this.#expired = then
  }

  expire(): void {
    this.expiresAt = Number.POSITIVE_INFINITY
    this.#expired()
  }

  onOver(ended: Ended): void {
    this.#listeners.push(ended)
  }

  hangUp(): void {
    // This calls the handler for aborts.
    if (!this.over) this.#res.close()
  }

  answer(reply: Reply, envelope: Envelope, unread?: Unread): void {
    if (this.over || this.#answered) return
    const whole: Answer = { reply, payload: payloadOf(reply), envelope }
    this.#answered = true
    if (reply.flowing !== undefined && !envelope.headOnly) {
      this.#flow(whole, reply.flowing)
      return
    }
    if (reply.content !== undefined && !envelope.headOnly) {
      this.#stream(whole, reply.content, unread)
      return
    }
    if (!envelope.close) {
      this.#give(whole)
      return
    }
    // When we return, the parser goes on: behind a request that is answered it would carry out what
    // it finds next; behind one that is not, it hangs up. So the answer is written later.
    setImmediate(() => this.#leave(whole))
  }

  /** A client that takes nothing more of it for a while is hung up on. */
  #stream(whole: Answer, content: Content, unread?: Unread): void {
    if (whole.envelope.close) this.last()
    const progressed = (): void => {
      if (!this.over) this.expireIn(limits.bodyMs, () => this.hangUp())
    }
    progressed()
    void sendContent(this.#res, content, {
      isOver: () => this.over,
      onOver: (over) => this.onOver(over),
      progressed,
      begin: () => announce(this.#res, whole),
      written: () => this.#end(whole.reply.status),
      unread: (error) => this.#refuse(error, whole, unread),
      failed: () => this.hangUp(),
    })
  }

  /** Nothing of an answer was to be had: it is another one. */
  #refuse(error: unknown, { envelope }: Answer, unread?: Unread): void {
    const reply = unread?.(error)
    if (reply === undefined) this.hangUp()
    else this.#give({ reply, payload: payloadOf(reply), envelope })
  }

  /** Never answered whole, so that the parser hangs up on whatever comes behind it. */
  #flow(whole: Answer, { beginning, filler, opened }: Flowing): void {
    this.last()
    const fits = begin(this.#res, whole, beginning)
    this.beganAt = this.#home.now()
    const ended = () => this.#end(whole.reply.status)
    this.outlet = openOutlet(this.#res, { filler, fits, ended })
    if (this.#home.isEnding()) this.outlet.end()
    else opened(this.outlet)
  }

  #leave(whole: Answer): void {
    if (this.over) return
    // An answer that does not fit into the socket leaves the connection open for a while, and
    // readable.
    this.#res.pause()
    this.#give(whole)
  }

  #give(whole: Answer): void {
    write(this.#res, whole, () => this.#end(whole.reply.status))
    // A client that reads an answer slowly is waited for as long as one that sends a body slowly.
    if (!this.over) this.expireIn(limits.bodyMs, () => this.hangUp())
  }

  #end(status: number): void {
    if (this.over) return
    this.over = true
    this.outlet?.closed()
    this.#home.ended(this)
    const listeners = this.#listeners
    // Who still holds this exchange holds nothing of what it served.
    this.#listeners = []
    this.#expired = nothing
    for (const ended of listeners) ended(status)
  }
}

function nothing(): void {
  // No deadline was set yet.
}
