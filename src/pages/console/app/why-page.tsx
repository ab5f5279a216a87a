import type { ConsolePlace, ShownMode } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import type { Json, LoadedAnswer } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import { EventLife } from './event-life.tsx'
import { isOfMoney, placeOfId } from './ids.ts'
import { resourceKindOf } from './kinds.ts'
import { Empty, Failure, Heading, Skeleton } from './parts.tsx'
import type { Submitted } from './ui.ts'
import { ShownJson } from './values.tsx'

/** A box that takes any id, of anything, and shows its explanation. */
export function WhyPage({ place: { mode, steps } }: { place: ConsolePlace }) {
  const id = steps[1] ?? ''
  const submit = (event: Submitted<HTMLFormElement>) => {
    event.preventDefault()
    const asked = String(new FormData(event.currentTarget).get('id') ?? '').trim()
    if (asked !== '') goTo(hrefOf(mode, ['why', asked]))
  }
  return (
    <section>
      <Heading title="Why" lead="Where something came from, what it did, and by which rule." />
      <form class="filters" onSubmit={submit}>
        <label class="whole">
          <span class="asked">
            Any id: an event’s, a ledger entry’s, a grant’s, a payment’s, a paper’s number, or of
            anything else
          </span>
          <input name="id" defaultValue={id} key={id} autoComplete="off" />
        </label>
        <button type="submit" class="primary">
          Explain
        </button>
      </form>
      {id === '' ? (
        <Empty title="Ask about anything">
          An event tells which meters it matched, and why not the others; a ledger entry tells the
          rule and the arithmetic behind it; a grant tells what was paid from it; a payment tells
          its lines, the usage behind them, and where the money went.
        </Empty>
      ) : (
        <Answer key={id} mode={mode} id={id} />
      )}
    </section>
  )
}

function Answer({ mode, id }: { mode: ShownMode; id: string }) {
  const place = placeOfId(id)
  const name = encodeURIComponent(id)
  if (place === null && !isOfMoney(id)) return <EventLife mode={mode} id={id} />
  const own = place !== null && !('says' in place) && 'step' in place ? place.step : null
  const page = own === null ? {} : { page: hrefOf(mode, [own, id]) }
  if (isOfMoney(id)) {
    return <Told mode={mode} path={apiPath(mode, `/explanations/${name}`)} {...page} />
  }
  if (place === null) return null
  if ('says' in place) return <Said mode={mode} place={place} />
  if ('path' in place) {
    const behind = place.path === '/credit-ledger-entries' ? '/explanation' : ''
    return <Told mode={mode} path={apiPath(mode, `${place.path}/${name}${behind}`)} />
  }
  const path = `${resourceKindOf(place.step)?.path ?? `/${place.step}`}/${name}`
  return <Told mode={mode} path={apiPath(mode, path)} {...page} />
}

/** What has no answer of its own: what it is, and where it stands. */
function Said({ mode, place }: { mode: ShownMode; place: { says: string; step?: string } }) {
  return (
    <p class="summary">
      {place.says}{' '}
      {place.step !== undefined && <a href={hrefOf(mode, [place.step])}>There they are.</a>}
    </p>
  )
}

function Told({ mode, path, page }: { mode: ShownMode; path: string; page?: string }) {
  const loaded: LoadedAnswer<Json> = useLoaded(path)
  const { data, failure, again } = loaded
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={8} />
  const { summary, times, explains, ...rest } = data
  const said = sentencesOf(rest)
  return (
    <>
      {typeof summary === 'string' && <p class="summary">{summary}</p>}
      {page !== undefined && <a href={page}>Its own page</a>}
      {said.length > 0 && (
        <ul class="said">
          {said.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <ShownJson mode={mode} value={rest} />
      {typeof times === 'string' && <p class="note">{times}</p>}
    </>
  )
}

/** What an explanation says in words: where something came from, by which rule and what sums. */
function sentencesOf({ cause, causes, rule, lines, arithmetic }: Json): readonly string[] {
  const parts = [cause, causes, rule, lines].flat().map((one) => (one as Json | null)?.['sentence'])
  return [...parts, arithmetic].flat().filter((one) => typeof one === 'string')
}
