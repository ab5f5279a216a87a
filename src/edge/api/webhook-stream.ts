import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import { streamLimits } from '../../operations/webhooks/stream-limits.ts'
import type { StreamPlace, StreamPlaceNeeds } from '../../operations/webhooks/stream-place.ts'
import { placeText, streamPlace } from '../../operations/webhooks/stream-place.ts'
import type { StreamReader, StreamTails } from '../../operations/webhooks/stream-tails.ts'
import type { StreamedMessage } from '../../parts/store/webhook-streams.ts'
import type { WebhookEventType } from '../../rules/facts/webhook-event-types.ts'
import type { Logger } from '../../runtime/logger.ts'
import { pauseFor } from '../../runtime/pause.ts'
import {
  readTypes,
  streamBeat,
  streamBeginning,
  streamedEvent,
  streamedPlace,
} from '../../wire/webhook-stream.ts'
import type { Outlet } from '../http/flowing.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { route } from '../http/route.ts'
import type { StreamSeats } from './stream-seats.ts'

export interface WebhookStreamNeeds extends StreamPlaceNeeds {
  readonly tails: StreamTails
  readonly seats: StreamSeats
  readonly logger: Logger
}

/** All that is told of a business and mode, as it happens (ours). [webhooks#stream] */
export function webhookStream(ports: WebhookStreamNeeds): Route {
  return route('GET', '/webhooks/stream', 'read', open)

  async function open(request: Request): Promise<Reply> {
    const types = typesOf(request)
    const { businessId, mode } = request.caller
    request.onOver(ports.seats.take(businessId))
    const named = request.header('last-event-id') || null
    const place = await streamPlace(ports, { businessId, mode }, named)
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        // A proxy that waits for a full buffer would hold back what happens.
        'X-Accel-Buffering': 'no',
      },
      flowing: {
        beginning: streamBeginning(placeText(place)),
        filler: streamBeat,
        opened(outlet) {
          const reader = ports.tails.follow({ businessId, mode })
          request.onOver(reader.leave)
          send({ outlet, reader, place, types }).catch((error: unknown) => {
            ports.logger.error({ err: error }, 'a stream of webhooks ended')
            outlet.end()
          })
        },
      },
    }
  }
}

function typesOf(request: Request): readonly WebhookEventType[] | null {
  const text = request.query('types')
  if (text === null) return null
  const { types, unknown } = readTypes(text)
  if (unknown === null) return types
  throw new Fault(
    'INVALID_QUERY_PARAMS',
    `types must list kinds of webhooks such as credit.added,credit.deducted; there is no kind '${unknown.slice(0, 100)}'.`,
  )
}

interface Sending {
  readonly outlet: Outlet
  readonly reader: StreamReader
  readonly place: StreamPlace
  readonly types: readonly WebhookEventType[] | null
}

/**
 * Sends message after message until one side ends it. A reader that comes back after a while of
 * nothing that it asked for should not have to look through all of that again: so its place is
 * moved on, too.
 */
async function send({ outlet, reader, place, types }: Sending): Promise<void> {
  const wanted = types === null ? null : new Set<string>(types)
  let [at, told] = [place.number, place.number]
  let wroteAt = performance.now()
  while (!outlet.over) {
    const found = await patiently(() => reader.read(at, types))
    if (found === null) {
      // It comes back, and is told that it has a gap.
      outlet.end()
      return
    }
    for (const piece of piecesOf(found, wanted)) await write(piece)
    const last = found.at(-1)
    at = last?.number ?? at
    if (last !== undefined && (wanted === null || wanted.has(last.type))) told = at
    if (performance.now() - wroteAt >= streamLimits.beatMs) {
      await write(told === at ? streamBeat : streamedPlace(placeText({ ...place, number: at })))
      told = at
    }
    const restMs = streamLimits.beatMs - (performance.now() - wroteAt)
    if (found.length === 0 && !outlet.over) await reader.wait(at, Math.max(0, restMs))
  }

  async function write(text: string): Promise<void> {
    if (outlet.over) return
    if (!outlet.write(text)) await outlet.drained()
    wroteAt = performance.now()
  }
}

/** While the store is away, or has too much to do, streams wait. */
async function patiently<T>(work: () => Promise<T>): Promise<T | readonly []> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    await pauseFor(limits.storeRetryMs)
    return []
  }
}

/** What is wanted of them, in writes that a slow reader costs little memory by. */
function piecesOf(
  found: readonly StreamedMessage[],
  wanted: ReadonlySet<string> | null,
): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  for (const { messageId, type, body } of found) {
    if (body === null || (wanted !== null && !wanted.has(type))) continue
    const event = streamedEvent({ messageId, type, body })
    if (piece !== '' && piece.length + event.length > streamLimits.pieceCharactersMax) {
      pieces.push(piece)
      piece = ''
    }
    piece += event
  }
  return piece === '' ? pieces : [...pieces, piece]
}
