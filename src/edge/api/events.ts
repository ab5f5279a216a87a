import { Fault, notFound } from '../../faults.ts'
import type { PositionNeeds } from '../../operations/events/await-position.ts'
import { awaitPosition } from '../../operations/events/await-position.ts'
import type { EventQuery, ListEventsPorts } from '../../operations/events/list-events.ts'
import { listEvents } from '../../operations/events/list-events.ts'
import type { ReadEventPorts } from '../../operations/events/read-event.ts'
import { readEvent } from '../../operations/events/read-event.ts'
import type { Filter, Mode } from '../../rules/meter/meter.ts'
import type { Metadata } from '../../rules/meter/usage-event.ts'
import { formatInstant } from '../../std/instant.ts'
import { archivedToHeader, eventView } from '../../wire/event.ts'
import { parsePage, parseTime } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'

export interface EventsPorts extends ListEventsPorts, ReadEventPorts {
  readonly positions: PositionNeeds
  /** A meter of the business, archived or not; null when there is none. */
  meter(
    businessId: string,
    mode: Mode,
    meterId: string,
  ): Promise<{ readonly eventName: string; readonly filter: Filter | null } | null>
  compileFilter(filter: Filter): (metadata: Metadata) => boolean
}

/** Reading usage events back, from when they are measured. [contract B.17, C.5] */
export function events(ports: EventsPorts): readonly Route[] {
  return [
    route('GET', '/events', 'read', list),
    route('GET', '/events/:event_id', 'read', retrieve),
  ]

  async function list(request: Request): Promise<Reply> {
    const { businessId } = request.caller
    const query = await queryOf(request)
    await awaitPosition(ports.positions, request.header('sluice-after'))
    const { events, completeTo } = await listEvents(ports, query)
    return {
      ...ok({ items: events.map((event) => eventView(businessId, event)) }),
      headers: { [archivedToHeader]: formatInstant(completeTo) },
    }
  }

  async function retrieve(request: Request): Promise<Reply> {
    const { businessId, mode } = request.caller
    const eventId = request.param('event_id')
    await awaitPosition(ports.positions, request.header('sluice-after'))
    const found = await readEvent(ports, { businessId, mode }, eventId)
    if (found === null) throw notFound('event', eventId)
    return ok(eventView(businessId, found.event))
  }

  async function queryOf(request: Request): Promise<EventQuery> {
    const { businessId, mode } = request.caller
    // Everything that the query alone can have wrong is said before the store is asked. [ruling 4]
    const page = parsePage(request)
    const [start, end] = [parseTime(request, 'start'), parseTime(request, 'end')]
    const name = request.query('event_name')
    const meter = await meterOf(request)
    if (meter !== null && name !== null && name !== meter.eventName) {
      throw new Fault(
        'INVALID_REQUEST_PARAMETERS',
        'event_name must be that of the meter, or be left out when meter_id is given.',
      )
    }
    return {
      owner: { businessId, mode },
      customerId: request.query('customer_id'),
      eventName: meter?.eventName ?? name,
      start,
      end,
      matches: meter?.filter == null ? null : ports.compileFilter(meter.filter),
      ...page,
    }
  }

  async function meterOf(request: Request): ReturnType<EventsPorts['meter']> {
    const meterId = request.query('meter_id')
    if (meterId === null) return null
    const { businessId, mode } = request.caller
    // PostgreSQL's text has no NUL, so no meter has one in its id.
    const meter = meterId.includes('\0') ? null : await ports.meter(businessId, mode, meterId)
    if (meter === null) throw notFound('meter', meterId)
    return meter
  }
}
