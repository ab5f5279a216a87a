import { parse } from '../edge/http/parse.ts'
import type { Reply, Request, Route } from '../edge/http/route.ts'
import { route } from '../edge/http/route.ts'
import { cloudEventMedia, ingestBodyOf, isBinaryMode } from '../edge/ingest/cloud-events.ts'
import { inspect, refuseOversize, refuseRepeated } from '../edge/ingest/inspect.ts'
import { ownFieldsOf } from '../edge/ingest/lines.ts'
import { timestamps } from '../edge/ingest/timestamp.ts'
import { Fault } from '../faults.ts'
import { limits } from '../limits.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant, instantOf } from '../std/instant.ts'
import type { EventInput } from '../wire/usage-event.ts'
import { usageEventIngestParams, usageEventIngestResponse } from '../wire/usage-event.ts'
import type { SpoolFrame } from './frame.ts'
import type { EventTraces } from './line-trace.ts'
import { tracedLine, tracesOf, untracedEvents } from './line-trace.ts'

/** `POST /events/ingest`, answered when the events are on the disk. [events#accepted] */
export function receivingRoute(append: (frame: SpoolFrame) => Promise<void>): Route {
  return {
    ...route('POST', '/events/ingest', 'public', receive),
    bodyTexts: 'any',
    media: cloudEventMedia,
    mayLackBody: isBinaryMode,
    handlerMs: limits.ingestMs,
  }

  async function receive(request: Request): Promise<Reply> {
    const { events } = parse(usageEventIngestParams, ingestBodyOf(request))
    await append(frameOf(events, request.at, tracesOf(request)))
    return { status: 200, body: usageEventIngestResponse(events.length) }
  }
}

const clockwork = timestamps()

/**
 * The events of a request as the gateway will get them: checked as the gateway checks them, and
 * each with a timestamp, so that it counts at the time of its receipt however long it waits. Only
 * how old it may be is left to the gateway, which knows the key. Throws what the gateway would
 * answer.
 */
export function frameOf(
  events: readonly EventInput[],
  at: Instant,
  traceOf: EventTraces = untracedEvents,
): SpoolFrame {
  const inspected = inspect(events, at, clockwork)
  refuseRepeated(inspected.ids)
  refuseOversize(
    inspected,
    events.map((_, index) => index),
  )
  refuseAhead(inspected.times, at)
  let text = ''
  events.forEach((event, index) => {
    const time = clockwork.write(inspected.times[index] ?? at)
    const line = `{"event_id":${ownFieldsOf(event, time)}`
    text += `${tracedLine(line, traceOf(index))}\n`
  })
  return { text, events: events.length, receivedAt: at }
}

function refuseAhead(times: readonly Instant[], at: Instant): void {
  const latest = instantOf(at + limits.eventLeadMax)
  const index = times.findIndex((time) => time > latest)
  if (index < 0) return
  throw new Fault(
    'EVENT_TIMESTAMP_OUT_OF_RANGE',
    `events[${index}].timestamp must not be later than ${formatInstant(latest)}.`,
  )
}
