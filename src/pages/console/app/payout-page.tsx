import type { ConsolePlace } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import type { ResourceKind } from './kind.ts'
import { shownMoney } from './money.ts'
import {
  CopyButton,
  CsvLink,
  Facts,
  Failure,
  Heading,
  Skeleton,
  StateBadge,
  When,
} from './parts.tsx'
import { RowTable } from './tables.tsx'
import { IdLink } from './values.tsx'

/** A payout: what it is made of, entry by entry, and its papers. */
export function PayoutPage({
  place: { mode, steps },
  kind,
}: {
  place: ConsolePlace
  kind: ResourceKind
}) {
  const id = steps[1] ?? ''
  const path = `/payouts/${encodeURIComponent(id)}/breakup`
  const sums = useLoaded<readonly Json[]>(apiPath(mode, path))
  const entries = useLoaded<{ items: readonly Json[] }>(
    apiPath(mode, `${path}/details?page_size=100`),
  )
  const failure = sums.failure ?? entries.failure
  const currency = String(entries.data?.items[0]?.['original_currency'] ?? 'USD')
  return (
    <section>
      <p class="way">
        <a href={hrefOf(mode, [kind.step])}>{kind.title}</a>
      </p>
      <Heading
        title={kind.one}
        lead={
          <span class="row">
            <code>{id}</code> <CopyButton text={id} label="Copy the id" />
          </span>
        }
      >
        <a
          class="button"
          href={apiPath(mode, `/invoices/payouts/${encodeURIComponent(id)}`)}
          target="_blank"
          rel="noreferrer"
        >
          Statement
        </a>
        <CsvLink href={apiPath(mode, `${path}/details/csv`)} name={id} />
      </Heading>
      {failure !== null && <Failure failure={failure} />}
      {failure === null && (sums.data === null || entries.data === null) && <Skeleton />}
      {sums.data !== null && entries.data !== null && (
        <>
          <Facts
            of={sums.data.map((sum) => [
              String(sum['event_type']).replaceAll('_', ' '),
              shownMoney(Number(sum['total']), currency),
            ])}
          />
          <Entries mode={mode} rows={entries.data.items} />
        </>
      )}
    </section>
  )
}

function Entries({ mode, rows }: { mode: ConsolePlace['mode']; rows: readonly Json[] }) {
  return (
    <div>
      <h2>Entries</h2>
      <RowTable
        rows={rows}
        keyOf={(row) => String(row['id'])}
        columns={[
          { head: 'When', cell: (row) => <When at={row['created_at']} /> },
          { head: 'What', cell: (row) => <StateBadge>{row['event_type']}</StateBadge> },
          {
            head: 'Amount',
            kind: 'number',
            cell: (row) =>
              shownMoney(Number(row['original_amount']), String(row['original_currency'])),
          },
          {
            head: 'By',
            cell: (row) => <IdLink mode={mode} id={String(row['reference_object_id'] ?? '–')} />,
          },
          { head: 'Description', kind: 'text', cell: (row) => String(row['description'] ?? '') },
        ]}
      />
      {rows.length === 100 && <p class="note">The first 100; the CSV has all of them.</p>}
    </div>
  )
}
