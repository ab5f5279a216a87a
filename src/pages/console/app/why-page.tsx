import type { ConsolePlace, ShownMode } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import type { Json, LoadedAnswer } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import { EventLife } from './event-life.tsx'
import { resourceKindOf } from './kinds.ts'
import { Empty, Failure, Heading, Skeleton } from './parts.tsx'
import type { Submitted } from './ui.ts'
import { ShownJson, stepOfId } from './values.tsx'

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
          <span>
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

/** Ids of money, and numbers of papers. */
const isOfMoney = (id: string): boolean =>
  /^(pay|ref|dis|pyt|ble)_[\w-]{21}$|^(INV|CRN|PAY)-\d{6,}$/.test(id)

function Answer({ mode, id }: { mode: ShownMode; id: string }) {
  const step = stepOfId(id)
  const name = encodeURIComponent(id)
  if (isOfMoney(id)) {
    const page = step === 'payments' ? { page: hrefOf(mode, [step, id]) } : {}
    return <Told mode={mode} path={apiPath(mode, `/explanations/${name}`)} {...page} />
  }
  if (step === null) return <EventLife mode={mode} id={id} />
  if (step === 'why') {
    return <Told mode={mode} path={apiPath(mode, `/credit-ledger-entries/${name}/explanation`)} />
  }
  return (
    <Told
      mode={mode}
      path={apiPath(mode, `${resourceKindOf(step)?.path ?? `/${step}`}/${name}`)}
      page={hrefOf(mode, [step, id])}
    />
  )
}

function Told({ mode, path, page }: { mode: ShownMode; path: string; page?: string }) {
  const loaded: LoadedAnswer<Json> = useLoaded(path)
  const { data, failure, again } = loaded
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={8} />
  const { summary, times, explains, ...rest } = data
  return (
    <>
      {typeof summary === 'string' && <p class="summary">{summary}</p>}
      {page !== undefined && <a href={page}>Its own page</a>}
      <ShownJson mode={mode} value={rest} />
      {typeof times === 'string' && <p class="note">{times}</p>}
    </>
  )
}
