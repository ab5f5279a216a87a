import { AskButton } from './acts.tsx'
import type { ConsolePlace } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import { BrandArchiveButton } from './brand-archive.tsx'
import type { Json } from './calls.ts'
import { apiPath } from './calls.ts'
import { DetailPage } from './detail-page.tsx'
import type { KindEnd, ResourceKind } from './kind.ts'
import { namedOne } from './kind.ts'
import type { Me } from './me.ts'
import type { Children } from './ui.ts'
import { useState } from './ui.ts'
import { WriteDialog } from './write-form.tsx'
import { writingOf } from './writings.ts'

export interface KindPageNeeds {
  readonly place: ConsolePlace
  readonly kind: ResourceKind
  readonly me: Me
  /** Besides changing and ending it. */
  readonly acts?: (row: Json, again: () => void) => Children
  readonly below?: (row: Json, again: () => void) => Children
  /** Whether all that the API says is shown as well, since the page says only a part of it. */
  readonly isOpen?: boolean
}

/** A thing of a list, with what its owner may do to it. */
export function KindPage({ place, kind, me, acts, below, isOpen = false }: KindPageNeeds) {
  const isOwner = me.role === 'owner'
  return (
    <DetailPage
      place={place}
      kind={kind}
      acts={(row, again) => (
        <>
          {acts?.(row, again)}
          {isOwner && <Change place={place} kind={kind} row={row} again={again} />}
          {isOwner && kind.ends !== undefined && <End place={place} kind={kind} ends={kind.ends} />}
          {isOwner && kind.step === 'brands' && (
            <BrandArchiveButton place={place} row={row} again={again} />
          )}
          {isOwner && kind.step === 'licenses' && <Disable place={place} row={row} again={again} />}
        </>
      )}
      below={(row, again) => below?.(row, again)}
      isOpen={isOpen}
    />
  )
}

interface ActNeeds {
  readonly place: ConsolePlace
  readonly row: Json
  readonly again: () => void
}

function Change({ place, kind, row, again }: ActNeeds & { kind: ResourceKind }) {
  const [asks, setAsks] = useState(false)
  const fields = writingOf(kind.step)
  if (fields === null) return null
  const done = () => {
    setAsks(false)
    again()
  }
  return (
    <>
      <button type="button" onClick={() => setAsks(true)}>
        Change
      </button>
      {asks && (
        <WriteDialog
          title={`Change ${namedOne(kind)}`}
          label="Change it"
          method="PATCH"
          path={pathOf(place, kind)}
          fields={fields}
          row={row}
          close={() => setAsks(false)}
          done={done}
        />
      )}
    </>
  )
}

/** Its end, or its way back where the address says that it has ended. */
function End({ place, kind, ends }: { place: ConsolePlace; kind: ResourceKind; ends: KindEnd }) {
  const { mode, query } = place
  const isPast = ends.past !== null && query.get(ends.past) === 'true'
  const path = pathOf(place, kind)
  if (isPast && ends.back !== null) {
    return (
      <AskButton
        label="Bring it back"
        method="POST"
        path={`${path}/${ends.back}`}
        says="It is listed again, and can be used as before."
        done={() => goTo(hrefOf(mode, place.steps), 'replace')}
      />
    )
  }
  return (
    <AskButton
      label={ends.label}
      method="DELETE"
      path={path}
      says={ends.says}
      danger
      done={() => goTo(hrefOf(mode, [kind.step]))}
    />
  )
}

function Disable({ place: { mode, steps }, row, again }: ActNeeds) {
  const isDisabled = row['status'] === 'disabled'
  return (
    <AskButton
      label={isDisabled ? 'Enable' : 'Disable'}
      method="PATCH"
      path={apiPath(mode, `/license_keys/${encodeURIComponent(steps[1] ?? '')}`)}
      says={
        isDisabled
          ? 'Programs may be activated with it again.'
          : 'No program can be activated with it, and those that ask are told that it is not valid.'
      }
      danger={!isDisabled}
      body={() => ({ disabled: !isDisabled })}
      done={again}
    />
  )
}

const pathOf = ({ mode, steps }: ConsolePlace, kind: ResourceKind): string =>
  apiPath(mode, `${kind.path}/${encodeURIComponent(steps[1] ?? '')}`)
