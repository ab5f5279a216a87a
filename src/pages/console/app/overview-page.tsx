import type { ConsolePlace, ShownMode } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import { Chart } from './chart.tsx'
import type { Me } from './me.ts'
import { count } from './moments.ts'
import { Empty, Heading } from './parts.tsx'
import { eventsOf } from './streams.ts'
import { TotalFigures } from './totals.tsx'
import { useEffect, useState } from './ui.ts'

/** How things are going, live. */
export function OverviewPage({ place, me }: { place: ConsolePlace; me: Me }) {
  const { mode, query } = place
  const span = query.get('span') === 'day' ? 'day' : 'hour'
  return (
    <section>
      <Heading title="Overview" lead={`${me.business_name}, in ${mode} mode.`} />
      <LiveFigures mode={mode} />
      <nav class="row" aria-label="How far back">
        {(['hour', 'day'] as const).map((one) => (
          <a
            key={one}
            class="tab"
            aria-current={one === span ? 'true' : undefined}
            href={hrefOf(mode, [], { span: one === 'hour' ? '' : one })}
            onClick={(event) => {
              event.preventDefault()
              goTo(hrefOf(mode, [], { span: one === 'hour' ? '' : one }), 'replace')
            }}
          >
            The last {one}
          </a>
        ))}
      </nav>
      <Charts key={span} mode={mode} span={span} />
      <TotalFigures mode={mode} />
    </section>
  )
}

const text = (value: unknown, unit = ''): string =>
  typeof value === 'number' ? `${count(value)}${unit}` : '–'

/** Each number by its name, changed as it changes; unaccounted events in large. */
function LiveFigures({ mode }: { mode: ShownMode }) {
  const [pulse, setPulse] = useState<Json | null>(null)
  useEffect(
    () =>
      eventsOf(apiPath(mode, '/overview/stream'), ({ event, data }) => {
        if (event === 'pulse') setPulse(JSON.parse(data) as Json)
      }),
    [mode],
  )
  const figures = [
    ['Accepted', text(pulse?.['accepted_per_second'], ' /s'), 'Events taken in, of this mode'],
    ['Settled', text(pulse?.['settled_per_second'], ' /s'), settledHint(pulse)],
    ['Freshness, p50', text(pulse?.['freshness_p50_ms'], ' ms'), 'Half are counted this soon'],
    ['Freshness, p99', text(pulse?.['freshness_p99_ms'], ' ms'), '99 of 100 are counted this soon'],
    ['Lag', text(pulse?.['lag_events']), lagHint(pulse)],
  ] as const
  const unaccounted = pulse?.['unaccounted_events']
  const isWell = unaccounted === 0 || unaccounted === null || unaccounted === undefined
  return (
    <div class="figures">
      <p class={isWell ? 'figure large well' : 'figure large ill'}>
        <span>Unaccounted events</span>
        <strong data-figure="unaccounted">{text(unaccounted)}</strong>
        <small>
          {isWell ? 'Every event is accounted for.' : 'Run sluice verify, and read the log.'}
        </small>
      </p>
      {figures.map(([name, shown, hint]) => (
        <p key={name} class="figure">
          <span>{name}</span>
          <strong data-figure={name}>{shown}</strong>
          <small>{hint}</small>
        </p>
      ))}
    </div>
  )
}

const settledHint = (pulse: Json | null): string =>
  pulse !== null && pulse['settled_per_second'] === null
    ? 'Another process turns events into usage'
    : 'Events turned into usage, of this mode'

/** Others would see through it how much their neighbours do. */
const lagHint = (pulse: Json | null): string =>
  pulse !== null && pulse['lag_events'] === null
    ? 'Told where a business has the server for itself'
    : 'Events that wait to be measured'

const againMs = { hour: 10_000, day: 120_000 } as const

function Charts({ mode, span }: { mode: ShownMode; span: 'hour' | 'day' }) {
  const { data, again } = useLoaded<{ items: readonly Json[] }>(
    apiPath(mode, `/overview?span=${span}`),
  )
  useEffect(() => {
    const timer = setTimeout(again, againMs[span])
    return () => clearTimeout(timer)
  }, [data])
  if (data === null) return null
  if (data.items.length < 2) {
    return (
      <Empty title="The charts begin in a minute">
        They show what this process has seen since it was started.
      </Empty>
    )
  }
  const times = data.items.map((one) => new Date(String(one['at'])).getTime() / 1_000)
  const values = (name: string) => data.items.map((one) => one[name] as number | null)
  return (
    <div class="charts">
      <Chart
        title="Events a second"
        times={times}
        unit=""
        lines={[
          { label: 'accepted', colour: 'chart-a', values: values('accepted_per_second') },
          { label: 'settled', colour: 'chart-b', values: values('settled_per_second') },
        ]}
      />
      <Chart
        title="Freshness: received to counted"
        times={times}
        unit=" ms"
        lines={[
          { label: 'p50', colour: 'chart-a', values: values('freshness_p50_ms') },
          { label: 'p99', colour: 'chart-b', values: values('freshness_p99_ms') },
        ]}
      />
    </div>
  )
}
