import type { ConsolePlace } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, useLoaded } from './calls.ts'
import type { Entered } from './forms.tsx'
import { Choice, FormField, SendForm } from './forms.tsx'
import type { Me } from './me.ts'
import {
  CopyButton,
  CsvLink,
  Dialog,
  Empty,
  Failure,
  Heading,
  Skeleton,
  StateBadge,
  When,
} from './parts.tsx'
import type { TableColumn } from './tables.tsx'
import { RowTable } from './tables.tsx'
import { useState } from './ui.ts'

/** Developer → API Keys. */
export function KeysPage({ place: { mode }, me }: { place: ConsolePlace; me: Me }) {
  const [shown, setShown] = useState<'create' | Json | null>(null)
  const path = apiPath(mode, '/keys')
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(path)
  const isOwner = me.role === 'owner'
  const create = async ({ name, access }: Entered) => {
    setShown(await callApi('POST', path, { name: name || null, access }))
    again()
  }
  return (
    <section>
      <Heading title="API Keys" lead={`Of ${mode} mode: the other mode’s host refuses them.`}>
        <CsvLink href={apiPath(mode, '/export/keys')} name="keys" />
        {isOwner && (
          <button type="button" class="primary" onClick={() => setShown('create')}>
            Create a key
          </button>
        )}
      </Heading>
      {failure !== null && <Failure failure={failure} again={again} />}
      {failure === null && data === null && <Skeleton />}
      {data !== null && <KeyTable keys={data.items} path={path} again={again} isOwner={isOwner} />}
      {shown === 'create' && (
        <Dialog title={`A key of ${mode} mode`} close={() => setShown(null)}>
          <SendForm label="Create it" send={create}>
            <FormField label="Name" name="name" maxLength={255} hint="Where it will be used." />
            <Choice label="Access" name="access" options={accesses} />
          </SendForm>
        </Dialog>
      )}
      {shown !== null && shown !== 'create' && (
        <ShownOnce text={String(shown['api_key'])} close={() => setShown(null)} />
      )}
    </section>
  )
}

const accesses = [
  ['write', 'Read and write'],
  ['read', 'Read only'],
] as const

function ShownOnce({ text, close }: { text: string; close: () => void }) {
  return (
    <Dialog title="Your key" close={close}>
      <p>Copy it now: it is not shown again.</p>
      <p class="secret">
        <code>{text}</code> <CopyButton text={text} />
      </p>
    </Dialog>
  )
}

interface KeyTableNeeds {
  readonly keys: readonly Json[]
  readonly path: string
  readonly again: () => void
  readonly isOwner: boolean
}

function KeyTable({ keys, path, again, isOwner }: KeyTableNeeds) {
  const [asked, setAsked] = useState<Json | null>(null)
  const revoke = async () => {
    await callApi('DELETE', `${path}/${asked?.['key_id']}`)
    setAsked(null)
    again()
  }
  if (keys.length === 0) {
    return (
      <Empty title="No key yet">
        Programs send events and read balances with a key. Create one here, or by the command line.
      </Empty>
    )
  }
  const acts: TableColumn<Json> = {
    head: 'What can be done',
    kind: 'acts',
    cell: (key) => {
      if (key['revoked_at'] !== null) return <StateBadge>revoked</StateBadge>
      return (
        isOwner && (
          <button type="button" class="quiet" onClick={() => setAsked(key)}>
            Revoke
          </button>
        )
      )
    },
  }
  return (
    <div>
      <RowTable
        columns={[...keyColumns, acts]}
        rows={keys}
        keyOf={(key) => String(key['key_id'])}
        isOver={(key) => key['revoked_at'] !== null}
      />
      {asked !== null && (
        <Dialog title="Revoke this key?" close={() => setAsked(null)}>
          <p>
            {String(asked['name'] ?? asked['key_id'])} stops working everywhere within ten seconds,
            for good.
          </p>
          <SendForm label="Revoke it" send={revoke} danger />
        </Dialog>
      )}
    </div>
  )
}

const keyColumns: readonly TableColumn<Json>[] = [
  { head: 'Name', kind: 'text', cell: (key) => String(key['name'] ?? '–') },
  { head: 'Key', cell: (key) => <code>{String(key['key_id'])}</code> },
  { head: 'Access', cell: (key) => (key['access'] === 'write' ? 'read and write' : 'read only') },
  { head: 'Created', cell: (key) => <When at={key['created_at']} /> },
  {
    head: 'Last used',
    cell: (key) =>
      key['last_used_at'] === null ? 'never' : <When at={key['last_used_at']} relative />,
  },
]
