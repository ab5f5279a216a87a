import { Fault, orNotFound } from '../../faults.ts'
import type { PositionNeeds } from '../../operations/events/await-position.ts'
import { awaitPosition } from '../../operations/events/await-position.ts'
import type { EventQuery } from '../../operations/events/candidates.ts'
import { eventNotFound } from '../../operations/events/event-not-found.ts'
import type { ListEventsNeeds } from '../../operations/events/list-events.ts'
import { listEvents } from '../../operations/events/list-events.ts'
import { readEvent } from '../../operations/events/read-event.ts'
import type { VoidEventNeeds } from '../../operations/events/void-event.ts'
import { voidEvent } from '../../operations/events/void-event.ts'
import { eventNameText } from '../../parts/store/voids.ts'
import type { Filter, Mode } from '../../rules/meter/meter.ts'
import type { Metadata } from '../../rules/meter/usage-event.ts'
import { after, formatInstant } from '../../std/instant.ts'
import { archivedToHeader, eventView, eventVoid } from '../../wire/event.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parsePage, parseTime } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route, scanning } from '../http/route.ts'

export interface EventsRouteNeeds extends ListEventsNeeds, VoidEventNeeds {
  readonly positions: PositionNeeds
  /** A meter of the business, archived or not; null when there is none. */
  meter(
    businessId: string,
    mode: Mode,
    meterId: string,
  ): Promise<{ readonly eventName: string; readonly filter: Filter | null } | null>
  compileFilter(filter: Filter): (metadata: Metadata) => boolean
}

/**
 * Reading usage events back, and taking them out of usage. [resources#usage-events,
 * events#reading-events]
 */
export function events(needs: EventsRouteNeeds): readonly Route[] {
  return [
    scanning(route('GET', '/events', 'read', list)),
    scanning(route('GET', '/events/:event_id', 'read', retrieve)),
    scanning(route('POST', '/events/:event_id/void', 'write', voidOne)),
  ]

  async function list(request: Request): Promise<Reply> {
    const { businessId, clockAhead } = request.caller
    const query = await queryOf(request)
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const { events, completeTo } = await listEvents(needs, query)
    const voided = await needs.voids.find(request.caller, events)
    const items = events.map((event) => {
      return eventView(businessId, event, voided.get(eventNameText(event)))
    })
    return {
      ...ok(page(items)),
      headers: { [archivedToHeader]: formatInstant(after(completeTo, clockAhead)) },
    }
  }

  async function retrieve(request: Request): Promise<Reply> {
    const { businessId, mode } = request.caller
    const eventId = request.param('event_id')
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const found = await readEvent(needs, { businessId, mode }, eventId)
    if (found === null) throw eventNotFound(eventId, needs.eventRetention)
    const voided = await needs.voids.find({ businessId, mode }, [found.event])
    return ok(eventView(businessId, found.event, voided.get(eventNameText(found.event))))
  }

  async function voidOne(request: Request): Promise<Reply> {
    const { businessId, mode } = request.caller
    const { reason } = parse(eventVoid, request.body)
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const eventId = request.param('event_id')
    const owner = { businessId, mode }
    const { event, voided } = await voidEvent(needs, { owner, eventId, reason })
    return ok(eventView(businessId, event, voided))
  }

  async function queryOf(request: Request): Promise<EventQuery> {
    const { businessId, mode } = request.caller
    // Everything that can be wrong with the query alone is refused before the store is asked.
    // [requests#refusals]
    const wanted = parsePage(request)
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
      matches: meter?.filter == null ? null : needs.compileFilter(meter.filter),
      ...wanted,
    }
  }

  async function meterOf(request: Request): ReturnType<EventsRouteNeeds['meter']> {
    const meterId = request.query('meter_id')
    if (meterId === null) return null
    const { businessId, mode } = request.caller
    // PostgreSQL's texts have no NUL, so no meter has one in its id.
    const meter = meterId.includes('\0') ? null : await needs.meter(businessId, mode, meterId)
    return orNotFound(meter, 'meter', meterId)
  }
}
