import { AskButton } from './acts.tsx'
import type { ConsolePlace } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath } from './calls.ts'
import { Choice } from './forms.tsx'
import type { ResourceKind } from './kind.ts'
import { KindPage } from './kind-page.tsx'
import type { Me } from './me.ts'
import { shownMajor, shownMoney } from './money.ts'
import { Facts, StateBadge, When } from './parts.tsx'
import { CustomerLink, IdLink } from './values.tsx'

interface MoneyPageNeeds {
  readonly place: ConsolePlace
  readonly kind: ResourceKind
  readonly me: Me
}

/** A refund; one that is on its way becomes what its owner says. */
export function RefundPage({ place, kind, me }: MoneyPageNeeds) {
  const { mode, steps } = place
  const id = encodeURIComponent(steps[1] ?? '')
  const paper = apiPath(mode, `/invoices/refunds/${id}`)
  return (
    <KindPage
      place={place}
      kind={kind}
      me={me}
      acts={(row, again) => (
        <>
          {row['status'] === 'succeeded' && (
            <a class="button" href={paper} target="_blank" rel="noreferrer">
              Credit note
            </a>
          )}
          {row['status'] === 'pending' && me.role === 'owner' && (
            <AskButton
              label="Mark it"
              method="POST"
              path={apiPath(mode, `/refunds/${id}/mark`)}
              says="Say what became of the money on its way back."
              fields={
                <Choice
                  label="It has"
                  name="status"
                  options={[
                    ['succeeded', 'succeeded'],
                    ['failed', 'failed'],
                  ]}
                />
              }
              body={({ status }) => ({ status })}
              done={again}
            />
          )}
        </>
      )}
      below={(row) => (
        <div>
          <p class="balance">{shownMoney(Number(row['amount']), String(row['currency']))}</p>
          <MoneyFacts place={place} row={row} />
        </div>
      )}
    />
  )
}

/** What it is of. */
function MoneyFacts({ place: { mode }, row }: { place: ConsolePlace; row: Json }) {
  const customer = row['customer'] as Json
  const { dispute_status: status } = row
  return (
    <Facts
      of={[
        ...(status === undefined
          ? []
          : [['Status', <StateBadge key="status">{status}</StateBadge>] as const]),
        ['Payment', <IdLink key="payment" mode={mode} id={String(row['payment_id'])} />],
        ['Customer', <CustomerLink key="customer" mode={mode} customer={customer} />],
        ['When', <When key="when" at={row['created_at']} />],
        ['Reason', String(row['reason'] ?? '–')],
      ]}
    />
  )
}

/** What may become of a dispute, and what that does. */
const moves: Readonly<Record<string, readonly (readonly [status: string, label: string])[]>> = {
  dispute_opened: [
    ['dispute_accepted', 'Accept it'],
    ['dispute_cancelled', 'The bank took it back'],
  ],
  dispute_challenged: [
    ['dispute_won', 'It is won'],
    ['dispute_lost', 'It is lost'],
    ['dispute_cancelled', 'The bank took it back'],
  ],
}

const says: Readonly<Record<string, string>> = {
  dispute_accepted: 'The payer keeps the money, and you say nothing more to it.',
  dispute_won: 'The bank has decided for you: the money comes back into the balance.',
  dispute_lost: 'The bank has decided for the payer, who keeps the money.',
  dispute_cancelled: 'The payer has taken it back: the money comes back into the balance.',
}

/** A dispute: answering it with evidence, and saying what the bank has decided. */
export function DisputePage({ place, kind, me }: MoneyPageNeeds) {
  const { mode, steps } = place
  const path = apiPath(mode, `/disputes/${encodeURIComponent(steps[1] ?? '')}/move`)
  return (
    <KindPage
      place={place}
      kind={kind}
      me={me}
      acts={(row, again) =>
        me.role === 'owner' && <DisputeActs path={path} row={row} again={again} />
      }
      below={(row) => (
        <div>
          <p class="balance">{shownMajor(String(row['amount']), String(row['currency']))}</p>
          <MoneyFacts place={place} row={row} />
          {row['remarks'] !== null && (
            <>
              <h2>Your evidence</h2>
              <p class="said">{String(row['remarks'])}</p>
            </>
          )}
        </div>
      )}
    />
  )
}

function DisputeActs({ path, row, again }: { path: string; row: Json; again: () => void }) {
  const status = String(row['dispute_status'])
  return (
    <>
      {status === 'dispute_opened' && (
        <AskButton
          label="Answer it"
          method="POST"
          path={path}
          says="Say why the payment was right: what was ordered, delivered and used. The bank then decides."
          fields={
            <label class="field">
              <span>Evidence</span>
              <textarea name="remarks" rows={8} required maxLength={3_000} />
            </label>
          }
          body={({ remarks }) => ({ dispute_status: 'dispute_challenged', remarks })}
          done={again}
        />
      )}
      {(moves[status] ?? []).map(([to, label]) => (
        <AskButton
          key={to}
          label={label}
          method="POST"
          path={path}
          says={says[to] ?? ''}
          danger={to === 'dispute_accepted' || to === 'dispute_lost'}
          body={() => ({ dispute_status: to })}
          done={again}
        />
      ))}
    </>
  )
}
