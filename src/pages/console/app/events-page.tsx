import type { ConsolePlace, ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, useLoaded } from './calls.ts'
import { Filters, listPages, Pager } from './list-page.tsx'
import { zoneName } from './moments.ts'
import { CsvLink, Empty, Failure, Heading, Skeleton, StateBadge, When } from './parts.tsx'
import { RowTable } from './tables.tsx'
import { useEffect, useState } from './ui.ts'

const byTime = { until: 'end', field: 'timestamp' }
const tailMs = 2_000

const filters = [
  { name: 'event_id', label: 'Event id' },
  { name: 'customer_id', label: 'Customer', example: 'cus_…' },
  { name: 'event_name', label: 'Name', example: 'llm.completion' },
  { name: 'meter_id', label: 'Meter', example: 'mtr_…' },
  { name: 'start', label: `From (${zoneName})`, isMoment: true },
  { name: 'end', label: `To (${zoneName})`, isMoment: true },
] as const

/** Events as they were received, and as they come in. */
export function EventsPage({ place }: { place: ConsolePlace }) {
  const { mode, query } = place
  const [tails, setTails] = useState(false)
  const page = Number(query.get('page') ?? '0')
  const asked = filters.flatMap(({ name }) => {
    const value = query.get(name)
    return value === null || value === '' ? [] : [[name, value]]
  })
  const search = new URLSearchParams(asked).toString()
  return (
    <section>
      <Heading title="Events" lead="What was received, newest first.">
        <button type="button" aria-pressed={tails} onClick={() => setTails(!tails)}>
          {tails ? 'Pause' : 'Follow live'}
        </button>
        <CsvLink
          href={apiPath(mode, `/export/events?${new URLSearchParams(asked)}`)}
          name="events"
        />
      </Heading>
      <Filters
        place={place}
        filters={filters}
        step="events"
        one={({ event_id: id = '' }) => (id === '' ? null : hrefOf(mode, ['events', id]))}
      />
      {tails ? (
        <Tail mode={mode} search={search} />
      ) : (
        <Found place={place} search={search} page={page} isFiltered={asked.length > 0} />
      )}
    </section>
  )
}

interface FoundNeeds {
  readonly place: ConsolePlace
  readonly search: string
  readonly page: number
  readonly isFiltered: boolean
}

function Found({ place, search, page, isFiltered }: FoundNeeds) {
  const { mode } = place
  const asked = { list: apiPath(mode, `/events?${search}`), page, by: byTime }
  const whole = new URLSearchParams(search)
  for (const [name, value] of listPages.queryOf(asked)) whole.set(name, value)
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(
    apiPath(mode, `/events?${whole}`),
  )
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={10} />
  if (data.items.length === 0 && isFiltered) {
    return (
      <Empty title="No event is like that">
        <a href={hrefOf(mode, ['events'])}>Show all of them.</a>
      </Empty>
    )
  }
  const events = listPages.rowsOf(asked, data.items)
  if (events.length === 0) return <NoEvents />
  return (
    <>
      <EventTable mode={mode} events={events} />
      <Pager place={place} page={page} isLast={events.length < listPages.size} />
    </>
  )
}

function NoEvents() {
  const event = {
    event_id: 'first-1',
    customer_id: 'cus_…',
    event_name: 'llm.completion',
    metadata: { tokens: 1_000 },
  }
  const body = JSON.stringify({ events: [event] })
  return (
    <Empty
      title="No event yet"
      command={`npm run -s sluice -- api POST /events/ingest --data '${body}'`}
    >
      Programs send them with a key of this mode. The id is yours: sent twice, it counts once.
    </Empty>
  )
}

/** Asks again and again, and keeps what was there when it is paused. */
function Tail({ mode, search }: { mode: ShownMode; search: string }) {
  const [events, setEvents] = useState<readonly Json[] | null>(null)
  useEffect(() => {
    let over = false
    const look = async () => {
      while (!over) {
        const path = apiPath(mode, `/events?${search}&page_size=${listPages.size}`)
        const found = await callApi<{ items: readonly Json[] }>('GET', path).catch(() => null)
        if (over) return
        if (found !== null) setEvents(found.items)
        await new Promise((resume) => setTimeout(resume, document.hidden ? 5 * tailMs : tailMs))
      }
    }
    void look()
    return () => {
      over = true
    }
  }, [mode, search])
  if (events === null) return <Skeleton lines={10} />
  return (
    <div aria-live="off">
      <p class="note" role="status">
        Following: the list is asked for every two seconds.
      </p>
      <EventTable mode={mode} events={events} />
    </div>
  )
}

function EventTable({ mode, events }: { mode: ShownMode; events: readonly Json[] }) {
  return (
    <RowTable
      rows={events}
      keyOf={(event) => String(event['event_id'])}
      isOver={(event) => event['voided_at'] !== undefined}
      columns={[
        { head: 'When', cell: (event) => <When at={event['timestamp']} /> },
        {
          head: 'Event',
          cell: (event) => (
            <a href={hrefOf(mode, ['events', String(event['event_id'])])}>
              <code>{String(event['event_id'])}</code>
            </a>
          ),
        },
        { head: 'Name', cell: (event) => String(event['event_name']) },
        {
          head: 'Customer',
          cell: (event) => (
            <a href={hrefOf(mode, ['customers', String(event['customer_id'])])}>
              <code>{String(event['customer_id'])}</code>
            </a>
          ),
        },
        {
          head: 'What it carries',
          kind: 'text',
          cell: (event) =>
            event['voided_at'] === undefined ? (
              <code>{JSON.stringify(event['metadata'] ?? {}).slice(0, 160)}</code>
            ) : (
              <StateBadge>voided</StateBadge>
            ),
        },
      ]}
    />
  )
}
