import type { ConsolePlace } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, Refused } from './calls.ts'
import type { Entered } from './forms.tsx'
import { Choice, FormField, SendForm } from './forms.tsx'
import { groupedDecimal } from './moments.ts'
import { Empty, Failure, Heading, StateBadge, When } from './parts.tsx'
import { RowTable } from './tables.tsx'
import { useEffect, useState } from './ui.ts'

const aggregations = [
  ['sum', 'Sum of a property'],
  ['count', 'Count of events'],
  ['max', 'Largest of a property'],
  ['last', 'Latest of a property'],
] as const

const operators = [
  'equals',
  'not_equals',
  'greater_than',
  'less_than',
  'contains',
  'does_not_contain',
].map((one) => [one, one.replaceAll('_', ' ')] as const)

const nothing: Entered = { aggregation: 'sum', operator: 'equals' }

/** A meter, with what it would make of the newest events while it is being written. */
export function MeterCreatePage({ place: { mode } }: { place: ConsolePlace }) {
  const [entered, setEntered] = useState<Entered>(nothing)
  const isCount = entered['aggregation'] === 'count'
  const change = (event: Event) => {
    const { target } = event
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
    setEntered({ ...entered, [target.name]: target.value.trim() })
  }
  const send = async () => {
    const made = await callApi('POST', apiPath(mode, '/meters'), meterOf(entered))
    goTo(hrefOf(mode, ['meters', String(made['id'])]))
  }
  return (
    <section>
      <p class="way">
        <a href={hrefOf(mode, ['meters'])}>Meters</a>
      </p>
      <Heading title="A meter" lead="It acts on everything that is measured after it is made." />
      <div class="beside" onInput={change}>
        <SendForm label="Create the meter" send={send}>
          <FormField label="Name" name="name" required maxLength={255} />
          <FormField label="Event name" name="event_name" required hint="Such as llm.completion." />
          <Choice label="Aggregation" name="aggregation" options={aggregations} />
          {!isCount && <FormField label="Property" name="key" required hint="Such as tokens." />}
          <FormField label="Unit" name="measurement_unit" required hint="Such as token." />
          <fieldset>
            <legend>Only events where (may be left out)</legend>
            <FormField label="Property of the filter" name="filter_key" />
            <Choice label="Condition" name="operator" options={operators} />
            <FormField label="Value" name="filter_value" />
          </fieldset>
        </SendForm>
        <Preview path={apiPath(mode, '/meters/preview')} entered={entered} />
      </div>
    </section>
  )
}

function meterOf(entered: Entered): Json {
  const { name, event_name, aggregation = 'sum', key, measurement_unit, filter_key } = entered
  const clause = {
    key: filter_key,
    operator: entered['operator'],
    value: filterValue(entered['filter_value'] ?? ''),
  }
  return {
    name,
    event_name,
    measurement_unit,
    aggregation: aggregation === 'count' ? { type: 'count' } : { type: aggregation, key },
    ...(filter_key ? { filter: { conjunction: 'and', clauses: [clause] } } : {}),
  }
}

/** A number or a truth where it looks like one: filters compare them as such. */
function filterValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text
}

const pauseMs = 300

function Preview({ path, entered }: { path: string; entered: Entered }) {
  const [found, setFound] = useState<Json | Refused | null>(null)
  const needsKey = entered['aggregation'] !== 'count' && !entered['key']
  const isReady = Boolean(entered['event_name']) && !needsKey
  useEffect(() => {
    if (!isReady) return
    const body = { ...meterOf(entered), name: entered['name'] || '-', measurement_unit: 'unit' }
    const timer = setTimeout(() => {
      callApi('POST', path, body).then(setFound, (error: unknown) =>
        setFound(error instanceof Refused ? error : null),
      )
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [JSON.stringify(entered)])
  if (!isReady || found === null) {
    return (
      <Empty title="What it would count">
        Name an event and a property: the newest events show here, matched or not, and why.
      </Empty>
    )
  }
  if (found instanceof Refused) return <Failure failure={found} />
  return (
    <div aria-live="polite">
      <h2>
        {String(found['matched'])} of the newest {String(found['of'])} events
      </h2>
      <p class="balance">
        {found['aggregate'] === null ? '–' : groupedDecimal(String(found['aggregate']))}{' '}
        <small>{entered['measurement_unit']}</small>
      </p>
      <RowTable
        rows={found['events'] as readonly Json[]}
        keyOf={(event) => String(event['event_id'])}
        isOver={(event) => event['outcome'] !== 'matched'}
        columns={[
          { head: 'When', cell: (event) => <When at={event['timestamp']} /> },
          { head: 'Outcome', cell: (event) => <StateBadge>{event['outcome']}</StateBadge> },
          {
            head: 'Counts',
            kind: 'number',
            cell: (event) =>
              event['quantity'] === null ? '' : groupedDecimal(String(event['quantity'])),
          },
          { head: 'Why', kind: 'text', cell: (event) => String(event['sentence']) },
        ]}
      />
    </div>
  )
}
