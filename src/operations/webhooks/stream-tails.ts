import type { Scope } from '../../parts/store/scope.ts'
import type {
  StreamedMessage,
  StreamHead,
  WebhookStreams,
} from '../../parts/store/webhook-streams.ts'
import type { WebhookEventType } from '../../rules/facts/webhook-event-types.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import { loop } from '../../runtime/loop.ts'
import type { NewId } from '../../std/id.ts'
import { newestMessages } from './newest-messages.ts'
import { streamLimits } from './stream-limits.ts'

export interface StreamTailsNeeds {
  readonly streams: WebhookStreams
  readonly clock: Clock
  readonly newId: NewId
  readonly logger: Logger
}

/** The ends of the streams that this process reads. */
export interface StreamTails {
  /** One reader more for this stream, until it leaves. */
  follow(scope: Scope): StreamReader
  stop(): Promise<void>
}

export interface StreamReader {
  /**
   * Some messages behind `number`; none: it is the end. Null: the next one is gone, and the reader
   * would have a gap. Bodies of other types may be missing.
   */
  read(
    number: number,
    types: readonly WebhookEventType[] | null,
  ): Promise<readonly StreamedMessage[] | null>

  /** Resolves once there is something behind `number`, or after `ms`. */
  wait(number: number, ms: number): Promise<void>
  leave(): void
}

/** The end of one stream, for all of its readers. */
interface Tail {
  readonly scope: Scope
  /** Null until the store has said; `lost` once it has said less than before. */
  last: number | 'lost' | null
  readers: number
  keptAt: number
  readonly newest: ReturnType<typeof newestMessages>
  readonly waiting: Set<() => void>
}

/**
 * Asks the store a few times a second how far its streams have come, one question for all of them;
 * what is new is read once for all who wait for it. A reader who is behind reads for itself.
 * [webhooks#stream]
 */
export function openStreamTails(needs: StreamTailsNeeds): StreamTails {
  const { streams, logger } = needs
  const tails = new Map<string, Tail>()
  const polling = loop({ name: 'streams', work: poll, idleMs: streamLimits.pollMs, logger })
  polling.start()
  return { follow, stop: polling.stop }

  function follow({ businessId, mode }: Scope): StreamReader {
    const scope = { businessId, mode }
    const tail = tails.get(nameOf(scope)) ?? opened(scope)
    tail.readers += 1
    let isLeft = false
    return {
      read: (number, types) => read(tail, number, types),
      wait: (number, ms) => wait(tail, number, ms),
      leave() {
        if (isLeft) return
        isLeft = true
        tail.readers -= 1
        if (tail.readers === 0) forget(tail)
      },
    }
  }

  function opened(scope: Scope): Tail {
    const newest = newestMessages((number, limit) =>
      streams.after(scope, number, { types: null, limit }),
    )
    const keptAt = performance.now()
    const waiting = new Set<() => void>()
    const tail: Tail = { scope, last: null, readers: 0, keptAt, newest, waiting }
    tails.set(nameOf(scope), tail)
    polling.nudge()
    return tail
  }

  async function poll(): Promise<boolean> {
    if (tails.size === 0) return false
    await keep()
    const heads = await streams.heads([...tails.values()].map(({ scope }) => scope))
    for (const head of heads) moved(head)
    return false
  }

  function moved(head: StreamHead): void {
    const tail = tails.get(nameOf(head))
    if (tail === undefined || tail.last === head.last) return
    // The store was put back to an earlier state: what readers have seen is not in it.
    const isLost = typeof tail.last === 'number' && head.last < tail.last
    tail.last = isLost ? 'lost' : head.last
    if (isLost) forget(tail)
    for (const wake of [...tail.waiting]) wake()
  }

  function forget(tail: Tail): void {
    if (tails.get(nameOf(tail.scope)) === tail) tails.delete(nameOf(tail.scope))
  }

  async function keep(): Promise<void> {
    for (const tail of tails.values()) {
      if (performance.now() - tail.keptAt < streamLimits.keepMs) continue
      await streams.keep(tail.scope, needs.newId('whs'), needs.clock.now())
      tail.keptAt = performance.now()
    }
  }

  async function read(
    tail: Tail,
    number: number,
    types: readonly WebhookEventType[] | null,
  ): Promise<readonly StreamedMessage[] | null> {
    if (tail.last === 'lost') return null
    // A reader's place may be newer than what the store said last.
    if (tail.last === null || number >= tail.last) return []
    const limit = streamLimits.pageMax
    const found =
      (await tail.newest.behind(number, tail.last)) ??
      (await streams.after(tail.scope, number, { types, limit }))
    const whole = found.filter((message, index) => message.number === number + index + 1)
    return whole.length === 0 ? null : whole
  }
}

function wait(tail: Tail, number: number, ms: number): Promise<void> {
  if (tail.last === 'lost' || (tail.last ?? 0) > number) return Promise.resolve()
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      tail.waiting.delete(wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    tail.waiting.add(wake)
  })
}

const nameOf = ({ businessId, mode }: Scope): string => `${mode} ${businessId}`
