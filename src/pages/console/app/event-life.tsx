import type { ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import { Failure, Skeleton, StateBadge, When } from './parts.tsx'
import type { Children } from './ui.ts'
import { useEffect } from './ui.ts'
import { IdLink, ShownJson } from './values.tsx'

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : [])
const part = (value: unknown): Json =>
  (typeof value === 'object' && value !== null ? value : {}) as Json

/** One event’s whole life, in its order, with the reason for each meter that did not match. */
export function EventLife({
  mode,
  id,
  counts,
}: {
  mode: ShownMode
  id: string
  /** Told whether there is such an event, and nobody has voided it. */
  counts?: (does: boolean) => void
}) {
  const path = apiPath(mode, `/events/${encodeURIComponent(id)}/explanation`)
  const { data, failure, again } = useLoaded(path)
  const isVoided = part(data?.['event'])['voided_at'] !== undefined
  useEffect(() => counts?.(data !== null && !isVoided), [data])
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={8} />
  const [event, received, verdict] = [
    part(data['event']),
    part(data['received']),
    part(data['verdict']),
  ]
  return (
    <>
      {typeof data['summary'] === 'string' && <p class="summary">{data['summary']}</p>}
      <ol class="life">
        <Step title="Received" at={received['at']}>
          <code>{String(event['event_name'])}</code> of{' '}
          <IdLink mode={mode} id={String(event['customer_id'])} />
          <pre>{JSON.stringify(event['metadata'] ?? {}, null, 2)}</pre>
        </Step>
        <Step title="Stored">
          {`In the ${part(data['stored'])['in']}, partition ${received['partition']}, offset ${received['offset']}.`}
        </Step>
        <Step title={`Measured: ${String(verdict['outcome']).replaceAll('_', ' ')}`}>
          {String(verdict['sentence'])}
        </Step>
        {list(data['meters']).map((meter) => (
          <MeterStep key={String(meter['meter_id'])} mode={mode} meter={meter} />
        ))}
        {typeof data['why_nothing'] === 'string' && (
          <Step title="Nothing was charged">{data['why_nothing']}</Step>
        )}
        {isVoided && (
          <Step title="Voided" at={event['voided_at']}>
            {String(event['void_reason'])}
          </Step>
        )}
      </ol>
    </>
  )
}

function MeterStep({ mode, meter }: { mode: ShownMode; meter: Json }) {
  const matched = meter['outcome'] === 'matched'
  return (
    <li class={matched ? 'matched' : 'missed'}>
      <h3 class="row">
        <a href={hrefOf(mode, ['meters', String(meter['meter_id'])])}>{String(meter['name'])}</a>
        <StateBadge>{meter['outcome']}</StateBadge>
        {matched && <span>{String(meter['quantity'])}</span>}
      </h3>
      <p>{String(meter['sentence'])}</p>
      {list(meter['failed_clauses']).length > 0 && (
        <ShownJson mode={mode} value={meter['failed_clauses']} />
      )}
      {meter['routing'] !== null && <p>{String(part(meter['routing'])['sentence'] ?? '')}</p>}
      {list(meter['effects']).map((effect, index) => (
        <Effect key={index} mode={mode} effect={effect} />
      ))}
    </li>
  )
}

function Effect({ mode, effect }: { mode: ShownMode; effect: Json }) {
  const [settling, usage, credits] = [
    part(effect['settling']),
    part(effect['usage']),
    effect['credits'],
  ]
  return (
    <div class="effect">
      <p>
        Usage from {String(usage['before'])} to {String(usage['after'])}
        {credits !== null &&
          `, worth ${part(credits)['change']} credits (${part(credits)['before']} → ${part(credits)['after']})`}
        .
      </p>
      <p>{String(settling['sentence'] ?? '')}</p>
      <ul>
        {list(settling['entries']).map((one, index) => {
          const id = String(part(one['entry'])['id'] ?? '')
          return (
            <li key={id || index}>
              <IdLink mode={mode} id={id} /> {String(one['sentence'] ?? '')}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Step({ title, at, children }: { title: string; at?: unknown; children?: Children }) {
  return (
    <li>
      <h3 class="row">
        {title} {at !== undefined && <When at={at} />}
      </h3>
      <div>{children}</div>
    </li>
  )
}
