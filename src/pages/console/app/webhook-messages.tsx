import { TryButton } from './acts.tsx'
import type { ConsolePlace, ShownMode } from './address.ts'
import type { Json } from './calls.ts'
import { callApi, useLoaded } from './calls.ts'
import { Pager } from './list-page.tsx'
import { CsvLink, Dialog, Empty, Failure, Skeleton, StateBadge, When } from './parts.tsx'
import type { TableColumn } from './tables.tsx'
import { RowTable } from './tables.tsx'
import { useState } from './ui.ts'
import { ShownJson } from './values.tsx'

const messagesShown = 50

/** What an endpoint was told, newest first, and each attempt at it; the page is in the address. */
export function Messages({
  place,
  base,
  isOwner,
}: {
  place: ConsolePlace
  base: string
  isOwner: boolean
}) {
  const { mode, query } = place
  const [opened, setOpened] = useState<Json | null>(null)
  const page = Number(query.get('page') ?? '0')
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(
    `${base}/messages?page_size=${messagesShown}&page_number=${page}`,
  )
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={4} />
  if (data.items.length === 0 && page === 0) {
    return (
      <>
        <h2>Messages</h2>
        <Empty title="It was told nothing yet">Send a test, or let something happen.</Empty>
      </>
    )
  }
  const resend = async (message: Json) => {
    await callApi('POST', `${base}/messages/${message['id']}/resend`)
    again()
  }
  return (
    <>
      <header class="heading">
        <h2>Messages</h2>
        <CsvLink href={fileOf(`${base}/messages`)} name="messages" />
      </header>
      <RowTable
        rows={data.items}
        keyOf={(message) => String(message['id'])}
        columns={[...messageColumns(setOpened), ...(isOwner ? [resending(resend)] : [])]}
      />
      <Pager place={place} page={page} isLast={data.items.length < messagesShown} />
      {opened !== null && (
        <Dialog title={String(opened['type'])} close={() => setOpened(null)}>
          <Attempts mode={mode} path={`${base}/messages/${opened['id']}/attempts?page_size=50`} />
          <h3>What was sent</h3>
          <ShownJson mode={mode} value={opened['payload']} />
        </Dialog>
      )}
    </>
  )
}

/** Where the console gives a list of the API as a file. */
const fileOf = (path: string): string => path.replace(/^(\/console\/api\/\w+)/, '$1/export')

const messageColumns = (open: (message: Json) => void): readonly TableColumn<Json>[] => [
  { head: 'When', cell: (message) => <When at={message['created_at']} /> },
  {
    head: 'What',
    cell: (message) => (
      <button type="button" class="link" onClick={() => open(message)}>
        {String(message['type'])}
      </button>
    ),
  },
  { head: 'Outcome', cell: (message) => <StateBadge>{message['outcome']}</StateBadge> },
  { head: 'Attempts', kind: 'number', cell: (message) => String(message['attempts']) },
  { head: 'Next', cell: (message) => <When at={message['next_attempt_at']} /> },
]

const resending = (resend: (message: Json) => Promise<void>): TableColumn<Json> => ({
  head: 'What can be done',
  kind: 'acts',
  cell: (message) => <TryButton label="Resend" act={() => resend(message)} />,
})

function Attempts({ mode, path }: { mode: ShownMode; path: string }) {
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(path)
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={2} />
  if (data.items.length === 0) return <p class="note">No attempt yet.</p>
  return (
    <>
      <header class="heading">
        <h3>Attempts</h3>
        <CsvLink href={fileOf(path)} name="attempts" />
      </header>
      {data.items.map((attempt) => (
        <ShownJson key={String(attempt['number'])} mode={mode} value={attempt} />
      ))}
    </>
  )
}
