import type { Scope } from '../../parts/store/scope.ts'
import type { StreamedMessage, WebhookStreams } from '../../parts/store/webhook-streams.ts'
import type { WebhookEventType } from '../../rules/facts/webhook-event-types.ts'
import type { Clock } from '../../runtime/clock.ts'
import { pauseFor } from '../../runtime/pause.ts'
import { streamLimits } from './stream-limits.ts'
import type { StreamPlace } from './stream-place.ts'

export interface FollowNeeds {
  /** Null: the store is away just now. */
  readonly ask: <T>(work: (streams: WebhookStreams) => Promise<T>) => Promise<T | null>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called when the store is away, and when it is back. */
  readonly away: (isAway: boolean) => void
  /** Called where messages are missing behind the one that was read last. */
  readonly gap: () => void
}

export interface Followed {
  readonly scope: Scope
  readonly from: StreamPlace
  readonly types: readonly WebhookEventType[] | null
}

/** How often it looks whether the store is still the one that it was. */
const headMs = 5_000

/**
 * Messages of a stream from a place on, one after the other as they come, until the signal. What
 * holds up the reader loses nothing: the next one is read when the reader has gone on.
 */
export async function* followStream(
  needs: FollowNeeds,
  { scope, from, types }: Followed,
): AsyncGenerator<StreamedMessage> {
  const { ask, signal } = needs
  let at = from.number
  let [isAway, lookedAt, keptAt] = [false, performance.now(), performance.now()]
  while (!signal.aborted) {
    const found = await ask((streams) => look(streams))
    if ((found === null) !== isAway) {
      isAway = found === null
      needs.away(isAway)
    }
    if (found === null || found.length === 0) {
      await pauseFor(streamLimits.pollMs)
      continue
    }
    for (const message of found) {
      if (signal.aborted) return
      if (message.number !== at + 1) needs.gap()
      at = message.number
      if (message.body !== null) yield message
    }
  }

  async function look(streams: WebhookStreams): Promise<readonly StreamedMessage[]> {
    const now = performance.now()
    if (now - keptAt > streamLimits.keepMs) {
      await streams.keep(scope, from.streamId, needs.clock.now())
      keptAt = now
    }
    if (now - lookedAt > headMs) {
      const [head] = await streams.heads([scope])
      lookedAt = now
      // Put back to an earlier state, it gives these numbers once more, to other messages.
      if (head !== undefined && head.last < at) {
        needs.gap()
        at = head.last
      }
    }
    return streams.after(scope, at, { types, limit: streamLimits.pageMax })
  }
}
