import type { ConsolePlace, ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import { AdjustDialog } from './adjusting.tsx'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import type { ResourceKind } from './kind.ts'
import { KindPage } from './kind-page.tsx'
import { resourceKindOf } from './kinds.ts'
import { Lots } from './lots.tsx'
import type { Me } from './me.ts'
import { groupedDecimal } from './moments.ts'
import { Empty, Failure, Skeleton, StateBadge, When } from './parts.tsx'
import { RowTable } from './tables.tsx'
import { useState } from './ui.ts'
import { IdLink, shownField } from './values.tsx'

/** A customer: what they hold, what became of it, and what they pay for. */
export function CustomerPage({
  place,
  kind,
  me,
}: {
  place: ConsolePlace
  kind: ResourceKind
  me: Me
}) {
  const { mode, steps } = place
  const id = steps[1] ?? ''
  return (
    <KindPage
      place={place}
      kind={kind}
      me={me}
      acts={() => (
        <a class="button" href={hrefOf(mode, ['events'], { customer_id: id })}>
          Their events
        </a>
      )}
      below={() => (
        <>
          <Credits mode={mode} id={id} isOwner={me.role === 'owner'} />
          <Few mode={mode} id={id} step="subscriptions" />
          <Few mode={mode} id={id} step="payments" />
        </>
      )}
    />
  )
}

function Credits({ mode, id, isOwner }: { mode: ShownMode; id: string; isOwner: boolean }) {
  const path = `/customers/${encodeURIComponent(id)}/credit-entitlements`
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(apiPath(mode, path))
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={3} />
  if (data.items.length === 0) {
    return (
      <Empty title="No credits">
        They come with a subscription whose product carries an entitlement, or are given by hand.
      </Empty>
    )
  }
  return (
    <>
      {data.items.map((credit) => (
        <CreditAccount
          key={String(credit['credit_entitlement_id'])}
          mode={mode}
          customerId={id}
          credit={credit}
          isOwner={isOwner}
          again={again}
        />
      ))}
    </>
  )
}

interface CreditAccountNeeds {
  readonly mode: ShownMode
  readonly customerId: string
  readonly credit: Json
  readonly isOwner: boolean
  readonly again: () => void
}

function CreditAccount({ mode, customerId, credit, isOwner, again }: CreditAccountNeeds) {
  const [adjusts, setAdjusts] = useState<'credit' | 'debit' | null>(null)
  const [turn, setTurn] = useState(0)
  const entitlement = String(credit['credit_entitlement_id'])
  const base = `/credit-entitlements/${entitlement}/balances/${encodeURIComponent(customerId)}`
  const done = () => {
    setAdjusts(null)
    setTurn(turn + 1)
    again()
  }
  return (
    <article class="account">
      <header class="heading">
        <div>
          <h2>
            <a href={hrefOf(mode, ['credit-entitlements', entitlement])}>
              {String(credit['name'])}
            </a>
          </h2>
          <p class="balance">
            {groupedDecimal(String(credit['balance']))} <small>{String(credit['unit'])}</small>
          </p>
          {Number(credit['overage']) !== 0 && (
            <p class="lead">Owes {groupedDecimal(String(credit['overage']))} of overage.</p>
          )}
        </div>
        {isOwner && (
          <div class="actions">
            <button type="button" onClick={() => setAdjusts('credit')}>
              Give credits
            </button>
            <button type="button" onClick={() => setAdjusts('debit')}>
              Take credits
            </button>
          </div>
        )}
      </header>
      <Lots key={`lots ${turn}`} mode={mode} base={base} />
      <Ledger key={`ledger ${turn}`} mode={mode} base={base} />
      {adjusts !== null && (
        <AdjustDialog
          path={apiPath(mode, `${base}/ledger-entries`)}
          type={adjusts}
          credit={credit}
          close={() => setAdjusts(null)}
          done={done}
        />
      )}
    </article>
  )
}

function Ledger({ mode, base }: { mode: ShownMode; base: string }) {
  const path = apiPath(mode, `${base}/ledger?page_size=20`)
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(path)
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={4} />
  return (
    <div>
      <h3>Ledger</h3>
      <RowTable
        rows={data.items}
        keyOf={(entry) => String(entry['id'])}
        columns={[
          { head: 'When', cell: (entry) => <When at={entry['created_at']} /> },
          { head: 'What', cell: (entry) => <StateBadge>{entry['transaction_type']}</StateBadge> },
          {
            head: 'Amount',
            kind: 'number',
            cell: (entry) =>
              `${entry['is_credit'] === true ? '+' : '−'}${groupedDecimal(String(entry['amount']))}`,
          },
          {
            head: 'Balance',
            kind: 'number',
            cell: (entry) => groupedDecimal(String(entry['balance_after'])),
          },
          {
            head: 'Reason',
            kind: 'text',
            cell: (entry) => String(entry['description'] ?? entry['reference_type'] ?? ''),
          },
          {
            head: 'Why',
            cell: (entry) => <a href={hrefOf(mode, ['why', String(entry['id'])])}>Why?</a>,
          },
        ]}
      />
    </div>
  )
}

/** The newest ones of another list, for one customer. */
function Few({ mode, id, step }: { mode: ShownMode; id: string; step: string }) {
  const kind = resourceKindOf(step)
  const query = new URLSearchParams({ customer_id: id, page_size: '5' })
  const { data } = useLoaded<{ items: readonly Json[] }>(apiPath(mode, `/${step}?${query}`))
  if (kind === undefined || data === null || data.items.length === 0) return null
  return (
    <div>
      <h2 class="row">
        {kind.title} <a href={hrefOf(mode, [step], { customer_id: id })}>All of them</a>
      </h2>
      <RowTable
        rows={data.items}
        keyOf={(row) => String(row[kind.id])}
        columns={kind.columns.map((column, index) => ({
          head: column.head,
          cell: (row: Json) =>
            index === 0 ? (
              <IdLink mode={mode} id={String(row[kind.id])} />
            ) : (
              shownField(mode, row, column)
            ),
        }))}
      />
    </div>
  )
}
