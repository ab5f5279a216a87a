import { AskButton } from './acts.tsx'
import type { ConsolePlace, ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import { ChargeButton, PaymentMethodButton } from './charging.tsx'
import { Few } from './few.tsx'
import type { ResourceKind } from './kind.ts'
import { KindPage } from './kind-page.tsx'
import { resourceKindOf } from './kinds.ts'
import type { Me } from './me.ts'
import { groupedDecimal } from './moments.ts'
import { shownMoney } from './money.ts'
import { Facts, When } from './parts.tsx'
import { PlanChangeButton } from './plan-changing.tsx'
import { SubscriptionCommands } from './subscription-commands.tsx'
import { RowTable } from './tables.tsx'
import { UsageNow } from './usage.tsx'

interface SubscriptionPageNeeds {
  readonly place: ConsolePlace
  readonly kind: ResourceKind
  readonly me: Me
}

const paymentColumns = (resourceKindOf('payments')?.columns ?? []).filter(
  ({ field }) => field !== 'subscription_id' && field !== 'customer',
)

/** A subscription: what it gives and takes, and every command with its preview. */
export function SubscriptionPage({ place, kind, me }: SubscriptionPageNeeds) {
  const { mode, steps } = place
  const path = apiPath(mode, `/subscriptions/${encodeURIComponent(steps[1] ?? '')}`)
  return (
    <KindPage
      place={place}
      kind={kind}
      me={me}
      acts={(row, again) =>
        me.role === 'owner' && (
          <>
            <PlanChangeButton mode={mode} path={path} row={row} done={again} />
            {row['scheduled_change'] !== null && (
              <AskButton
                label="Keep the plan"
                method="DELETE"
                path={`${path}/change-plan/scheduled`}
                says="The scheduled change is taken back, and the subscription goes on as it is."
                done={again}
              />
            )}
            <ChargeButton mode={mode} path={path} row={row} again={again} />
            <SubscriptionCommands path={path} row={row} again={again} />
            <PaymentMethodButton mode={mode} path={path} row={row} again={again} />
          </>
        )
      }
      below={(row) => (
        <>
          <Standing place={place} row={row} />
          <Carts place={place} rows={row['credit_entitlement_cart'] as readonly Json[]} />
          <UsageNow mode={mode} id={steps[1] ?? ''} />
          <Few
            mode={mode}
            title="Payments"
            path="/payments"
            query={{ subscription_id: steps[1] ?? '' }}
            columns={paymentColumns}
            id="payment_id"
            all={hrefOf(mode, ['payments'], { subscription_id: steps[1] ?? '' })}
          />
        </>
      )}
    />
  )
}

function Standing({ place: { mode }, row }: { place: ConsolePlace; row: Json }) {
  const customer = row['customer'] as Json
  const scheduled = row['scheduled_change'] as Json | null
  const ends = row['cancel_at_next_billing_date'] === true
  return (
    <Facts
      of={[
        [
          'Customer',
          <a href={hrefOf(mode, ['customers', String(customer['customer_id'])])}>
            {String(customer['name'] ?? customer['email'])}
          </a>,
        ],
        ['Product', <ProductLink mode={mode} id={String(row['product_id'])} />],
        [
          'Price',
          `${shownMoney(Number(row['recurring_pre_tax_amount']), String(row['currency']))}`,
        ],
        [ends ? 'Ends' : 'Next billing', <When at={row['next_billing_date']} />],
        ...(scheduled === null
          ? []
          : ([
              ['Becomes then', <ProductLink mode={mode} id={String(scheduled['product_id'])} />],
            ] as const)),
      ]}
    />
  )
}

/** A product by its name, once that is known. */
function ProductLink({ mode, id }: { mode: ShownMode; id: string }) {
  const { data } = useLoaded(apiPath(mode, `/products/${encodeURIComponent(id)}`))
  return (
    <a href={hrefOf(mode, ['products', id])}>
      {typeof data?.['name'] === 'string' ? data['name'] : <code>{id}</code>}
    </a>
  )
}

function Carts({ place: { mode }, rows }: { place: ConsolePlace; rows: readonly Json[] }) {
  if (rows.length === 0) return null
  return (
    <div>
      <h2>Credits</h2>
      <RowTable
        rows={rows}
        keyOf={(row) => String(row['credit_entitlement_id'])}
        columns={[
          {
            head: 'Of',
            cell: (row) => (
              <a href={hrefOf(mode, ['credit-entitlements', String(row['credit_entitlement_id'])])}>
                {String(row['credit_entitlement_name'])}
              </a>
            ),
          },
          {
            head: 'Each cycle',
            kind: 'number',
            cell: (row) => groupedDecimal(String(row['credits_amount'])),
          },
          {
            head: 'Left',
            kind: 'number',
            cell: (row) => groupedDecimal(String(row['remaining_balance'])),
          },
          {
            head: 'Overage',
            kind: 'number',
            cell: (row) => groupedDecimal(String(row['overage_balance'])),
          },
        ]}
      />
    </div>
  )
}
