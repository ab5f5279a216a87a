import { parse } from '../../edge/http/parse.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { ok, route, scanning } from '../../edge/http/route.ts'
import { limits } from '../../limits.ts'
import { outcomeOf } from '../../rules/explain/meter-outcome.ts'
import type { Metadata } from '../../rules/meter/usage-event.ts'
import { meterPreviewView } from '../../wire/console-meter.ts'
import { meterCreate, wantedMeter } from '../../wire/meter.ts'

/** How many of the newest events of its name a meter is tried on. */
const eventsMax = 50

interface ListedEvent {
  readonly event_id: string
  readonly timestamp: string
  readonly metadata: Metadata | null
  readonly voided_at?: string
}

/**
 * What a meter would make of the newest events of its name, and why: by the rule that measures, and
 * by the list that people read. It stores nothing, so a viewer may ask, too.
 */
export function meterPreviewRoutes(api: readonly Route[]): readonly Route[] {
  const list = api.find(({ method, pattern }) => method === 'GET' && pattern === '/events')
  if (list === undefined) return []
  const events = list
  return [scanning(route('POST', '/meters/preview', 'read', preview))]

  async function preview(request: Request): Promise<Reply> {
    const wanted = wantedMeter(parse(meterCreate, request.body))
    const found = await newest(request, wanted.eventName)
    const { aggregation, filter } = wanted
    const meter = {
      meterId: '',
      eventName: wanted.eventName,
      filter,
      aggregation: aggregation.type,
      aggregationKey: 'key' in aggregation ? (aggregation.key ?? null) : null,
      archived: [],
    }
    const judged = found.map((event) => ({
      eventId: event.event_id,
      timestamp: event.timestamp,
      outcome: outcomeOf(meter, { event, receivedAt: request.at, existed: true }),
    }))
    return ok(meterPreviewView(aggregation.type, judged))
  }

  async function newest(request: Request, name: string): Promise<readonly ListedEvent[]> {
    const asked = new Map([
      ['event_name', name],
      ['page_size', String(Math.min(eventsMax, limits.pageSizeMax))],
    ])
    const { body } = await events.handler({
      ...request,
      query: (each) => asked.get(each) ?? null,
      queried: () => [...asked.keys()],
    })
    const { items } = body as { readonly items: readonly ListedEvent[] }
    return items.filter((event) => event.voided_at === undefined)
  }
}
