import type { StreamedMessage } from '../parts/store/webhook-streams.ts'
import type { Clock } from '../runtime/clock.ts'
import { formatInstant } from '../std/instant.ts'
import type { Output } from './command.ts'
import type { Forwarded } from './forwarding.ts'

/** The list of what came. */
export interface ListenDisplay {
  /** It came, and is on its way to the local server. */
  came(message: StreamedMessage): void
  /** What became of it; null: it was not forwarded. */
  done(message: StreamedMessage, forwarded: Forwarded | null): void
}

/** A line for people as soon as it came, which the answer completes. Times are UTC. */
export function linesDisplay({ write, isTerminal }: Output, clock: Clock): ListenDisplay {
  return {
    came(message) {
      if (isTerminal) write(`${lineOf(message, clock)}  …`)
    },
    done(message, forwarded) {
      const answer = forwarded === null ? '' : `  ${answerOf(forwarded)}`
      // In a terminal the dots give way.
      const fresh = isTerminal ? '\r\u001b[2K' : ''
      write(`${fresh}${lineOf(message, clock)}${answer}\n`)
    },
  }
}

/** An object a line, once it is known what became of the message. */
export function jsonDisplay({ write }: Pick<Output, 'write'>): ListenDisplay {
  return {
    came: () => undefined,
    done({ messageId, type, body }, forwarded) {
      const of = { id: messageId, type, payload: JSON.parse(body ?? 'null') as unknown }
      const answer =
        forwarded === null
          ? {}
          : {
              status: forwarded.status,
              latency_ms: forwarded.latencyMs,
              attempts: forwarded.attempts,
              error: forwarded.error,
            }
      write(`${JSON.stringify({ ...of, ...answer })}\n`)
    },
  }
}

const typeWidth = 26

const lineOf = ({ messageId, type }: StreamedMessage, clock: Clock): string =>
  `${formatInstant(clock.now()).slice(11, 19)}  ${type.padEnd(typeWidth)}  ${messageId}`

function answerOf({ status, latencyMs, attempts, error }: Forwarded): string {
  const tries = attempts > 1 ? `, ${attempts} attempts` : ''
  const outcome = status === null ? (error ?? '') : String(status)
  return `${outcome}  ${latencyMs} ms${tries}${error === null ? '' : '  failed'}`
}
