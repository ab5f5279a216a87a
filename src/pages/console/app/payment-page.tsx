import { AskButton } from './acts.tsx'
import type { ConsolePlace } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath } from './calls.ts'
import { Choice, FormField } from './forms.tsx'
import type { ResourceKind } from './kind.ts'
import { KindPage } from './kind-page.tsx'
import { resourceKindOf } from './kinds.ts'
import type { Me } from './me.ts'
import { minorUnits, shownMoney } from './money.ts'
import { CsvLink, Facts, StateBadge, When } from './parts.tsx'
import { RefundButton } from './refunding.tsx'
import { RowTable } from './tables.tsx'
import { columnsOf } from './values.tsx'

interface PaymentPageNeeds {
  readonly place: ConsolePlace
  readonly kind: ResourceKind
  readonly me: Me
}

/** A payment: what it took, what went back of it, and what owners may say of it. */
export function PaymentPage({ place, kind, me }: PaymentPageNeeds) {
  const { mode, steps } = place
  const id = steps[1] ?? ''
  const path = `/payments/${encodeURIComponent(id)}`
  return (
    <KindPage
      place={place}
      kind={kind}
      me={me}
      acts={(row, again) => (
        <>
          {row['invoice_id'] !== null && (
            <a
              class="button"
              href={apiPath(mode, `/invoices${path}`)}
              target="_blank"
              rel="noreferrer"
            >
              Invoice
            </a>
          )}
          {me.role === 'owner' && (
            <PaymentActs place={place} path={apiPath(mode, path)} row={row} again={again} />
          )}
        </>
      )}
      below={(row) => (
        <>
          <Summary place={place} row={row} />
          <Beside place={place} step="refunds" rows={row['refunds']} />
          <Beside place={place} step="disputes" rows={row['disputes']} />
        </>
      )}
    />
  )
}

interface PaymentActsNeeds {
  readonly place: ConsolePlace
  readonly path: string
  readonly row: Json
  readonly again: () => void
}

function PaymentActs({ place: { mode }, path, row, again }: PaymentActsNeeds) {
  const status = String(row['status'])
  const isOver = ['succeeded', 'failed', 'cancelled'].includes(status)
  if (!isOver && mode === 'live') return <MarkButton path={path} again={again} />
  if (status !== 'succeeded' || Number(row['total_amount']) === 0) return null
  return (
    <>
      {row['refund_status'] !== 'full' && <RefundButton mode={mode} payment={row} done={again} />}
      <DisputeButton path={path} row={row} again={again} />
    </>
  )
}

/** Live mode has the manual processor: somebody says what became of the money. */
function MarkButton({ path, again }: { path: string; again: () => void }) {
  return (
    <AskButton
      label="Mark it"
      method="POST"
      path={`${path}/mark`}
      says="Say what became of the money, where you look after it yourself. It brings what was bought, and stays as it is."
      fields={
        <>
          <Choice
            label="It has"
            name="status"
            options={[
              ['succeeded', 'succeeded'],
              ['failed', 'failed'],
              ['cancelled', 'been cancelled'],
              ['processing', 'been sent, and is on its way'],
            ]}
          />
          <FormField
            label="Why it has failed"
            name="reason"
            pattern="[A-Z][A-Z_]{1,63}"
            hint="A code such as INSUFFICIENT_FUNDS; may be left out."
          />
        </>
      }
      body={({ status, reason }) => ({
        status,
        reason: status === 'failed' && reason !== '' ? reason : null,
      })}
      done={again}
    />
  )
}

/** What the payer's bank does: an owner tells it here. */
function DisputeButton({ path, row, again }: Omit<PaymentActsNeeds, 'place'>) {
  const currency = String(row['currency'])
  return (
    <AskButton
      label="It is disputed"
      method="POST"
      path={`${path}/disputes`}
      says="Say that the payer’s bank wants the money back. It leaves the balance at once, and you have ten days to answer."
      fields={
        <>
          <FormField
            label={`Amount, in ${currency}`}
            name="amount"
            inputMode="decimal"
            hint="Left empty, all of it."
          />
          <FormField label="Reason, as the bank says" name="reason" maxLength={3_000} />
        </>
      }
      body={({ amount = '', reason }) => ({
        amount: amount === '' ? null : minorUnits(amount, currency, 'The amount'),
        reason: reason || null,
      })}
      done={again}
    />
  )
}

function Summary({ place: { mode }, row }: { place: ConsolePlace; row: Json }) {
  const currency = String(row['currency'])
  const customer = row['customer'] as Json
  return (
    <div>
      <p class="balance">{shownMoney(Number(row['total_amount']), currency)}</p>
      <Facts
        of={[
          [
            'Customer',
            <a href={hrefOf(mode, ['customers', String(customer['customer_id'])])}>
              {String(customer['name'] ?? customer['email'])}
            </a>,
          ],
          ['When', <When at={row['created_at']} />],
          ...(row['error_message'] === null
            ? []
            : [['Why it failed', String(row['error_message'])] as const]),
          ...(row['refund_status'] === null
            ? []
            : [['Given back', <StateBadge>{row['refund_status']}</StateBadge>] as const]),
        ]}
      />
    </div>
  )
}

/** What else there is of a payment, with links to their own pages. */
function Beside({
  place: { mode, steps },
  step,
  rows,
}: {
  place: ConsolePlace
  step: string
  rows: unknown
}) {
  const kind = resourceKindOf(step)
  const payment = encodeURIComponent(steps[1] ?? '')
  const list = (rows ?? []) as readonly Json[]
  if (kind === undefined || list.length === 0) return null
  return (
    <div>
      <header class="heading">
        <h2>{kind.title}</h2>
        <div class="actions">
          <CsvLink href={apiPath(mode, `/export/payments/${payment}/${step}`)} name={step} />
        </div>
      </header>
      <RowTable
        rows={list}
        keyOf={(row) => String(row[kind.id])}
        columns={columnsOf(mode, kind.columns, ['payment_id'])}
      />
    </div>
  )
}
