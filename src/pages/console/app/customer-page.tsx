import type { ConsolePlace, ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import { AdjustDialog } from './adjusting.tsx'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import { Few } from './few.tsx'
import type { ResourceKind } from './kind.ts'
import { column } from './kind.ts'
import { KindPage } from './kind-page.tsx'
import { resourceKindOf } from './kinds.ts'
import { Lots } from './lots.tsx'
import type { Me } from './me.ts'
import { groupedDecimal } from './moments.ts'
import { CsvLink, Empty, Failure, Skeleton, StateBadge, When } from './parts.tsx'
import { RowTable } from './tables.tsx'
import { useState } from './ui.ts'
import { UsageNow } from './usage.tsx'

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
          <Usages mode={mode} id={id} />
          <Lists mode={mode} id={id} />
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
      <header class="heading">
        <h3>Ledger</h3>
        <div class="actions">
          <CsvLink href={apiPath(mode, `/export${base}/ledger`)} name="ledger" />
        </div>
      </header>
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

/** The subscriptions that are not over, with what their meters have counted. */
function Usages({ mode, id }: { mode: ShownMode; id: string }) {
  const query = new URLSearchParams({ customer_id: id, status: 'active', page_size: '5' })
  const { data } = useLoaded<{ items: readonly Json[] }>(apiPath(mode, `/subscriptions?${query}`))
  return (
    <>
      {(data?.items ?? []).map((subscription) => {
        const subscriptionId = String(subscription['subscription_id'])
        return <UsageNow key={subscriptionId} mode={mode} id={subscriptionId} />
      })}
    </>
  )
}

const wallets = [
  column('Currency', 'currency'),
  column('Money of theirs', 'balance', { money: 'currency' }),
  column('Last moved', 'updated_at', 'when'),
]

const grants = [
  column('Entitlement', 'entitlement_id', 'id'),
  column('What', 'integration_type', 'state'),
  column('Status', 'status', 'state'),
  column('Granted', 'created_at', 'when'),
]

/** What else there is of a customer, list by list. */
function Lists({ mode, id }: { mode: ShownMode; id: string }) {
  const own = `/customers/${encodeURIComponent(id)}`
  return (
    <>
      {(['subscriptions', 'payments'] as const).map((step) => {
        const kind = resourceKindOf(step)
        if (kind === undefined) return null
        return (
          <Few
            key={step}
            mode={mode}
            title={kind.title}
            path={kind.path}
            query={{ customer_id: id }}
            columns={kind.columns.filter(({ field }) => field !== 'customer')}
            id={kind.id}
            all={hrefOf(mode, [step], { customer_id: id })}
          />
        )
      })}
      <Few mode={mode} title="Wallets" path={`${own}/wallets`} columns={wallets} id="currency" />
      <Few
        mode={mode}
        title="Entitlements"
        path={`${own}/entitlement-grants`}
        columns={grants}
        id="id"
      />
    </>
  )
}
