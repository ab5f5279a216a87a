import type { ConsolePlace } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import type { ResourceKind } from './kind.ts'
import { CopyButton, Failure, Heading, Skeleton, StateBadge } from './parts.tsx'
import type { Children } from './ui.ts'
import { ShownJson } from './values.tsx'

/** One thing of a list, with everything that the API says of it. */
export function DetailPage({
  place: { mode, steps },
  kind,
  acts,
  below,
  isOpen = false,
}: {
  place: ConsolePlace
  kind: ResourceKind
  acts?: (row: Json, again: () => void) => Children
  below?: (row: Json, again: () => void) => Children
  isOpen?: boolean
}) {
  const id = steps[1] ?? ''
  const { data, failure, again } = useLoaded(
    apiPath(mode, `${kind.path}/${encodeURIComponent(id)}`),
  )
  if (failure !== null) {
    return (
      <section>
        <Way mode={mode} kind={kind} />
        <Failure failure={failure} again={again} />
      </section>
    )
  }
  if (data === null) return <Skeleton lines={8} />
  const own = below?.(data, again)
  const name = kind.name === null ? kind.one : String(data[kind.name] ?? kind.one)
  return (
    <section>
      <Way mode={mode} kind={kind} />
      <Heading
        title={name}
        lead={
          <span class="row">
            <code>{id}</code> <CopyButton text={id} label="Copy the id" />
            {typeof data['status'] === 'string' && <StateBadge>{data['status']}</StateBadge>}
          </span>
        }
      >
        {acts?.(data, again)}
      </Heading>
      {own}
      <AllOfIt mode={mode} value={data} isOpen={isOpen || own == null} />
    </section>
  )
}

/** What the API says; closed where the page says it in its own words. */
function AllOfIt({ mode, value, isOpen }: { mode: 'test' | 'live'; value: Json; isOpen: boolean }) {
  return (
    <details class="all" open={isOpen}>
      <summary>All of it</summary>
      <ShownJson mode={mode} value={value} />
    </details>
  )
}

function Way({ mode, kind }: { mode: 'test' | 'live'; kind: ResourceKind }) {
  return (
    <p class="way">
      <a href={hrefOf(mode, [kind.step])}>{kind.title}</a>
    </p>
  )
}
