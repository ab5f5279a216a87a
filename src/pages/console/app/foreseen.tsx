import type { Json } from './calls.ts'
import { callApi, Refused } from './calls.ts'
import { groupedDecimal } from './moments.ts'
import { shownMoney } from './money.ts'
import { Facts, Failure, Skeleton, StateBadge, When } from './parts.tsx'
import type { Children } from './ui.ts'
import { useEffect, useState } from './ui.ts'

interface ForeseenNeeds {
  /** Of the subscription. */
  readonly path: string
  /** As it is. */
  readonly row: Json
  /** The change that is wanted. */
  readonly wanted: Json
  /** What follows once it is known what would happen. */
  readonly children: Children
}

/** What a change would do to a subscription and to its customer's credits. */
export function Foreseen({ path, row, wanted, children }: ForeseenNeeds) {
  const [found, setFound] = useState<Json | Refused | null>(null)
  useEffect(() => {
    callApi('POST', `${path}/preview`, wanted).then(setFound, (error: unknown) =>
      setFound(error instanceof Refused ? error : new Refused(0, {})),
    )
  }, [])
  if (found === null) return <Skeleton lines={3} />
  if (found instanceof Refused) return <Failure failure={found} />
  return (
    <div class="form">
      <Facts of={differences(row, found['subscription'] as Json)} />
      <FinalCharge charge={found['charge'] as Json | null} />
      <CreditEffects credits={found['credits'] as readonly Json[]} row={row} />
      {children}
    </div>
  )
}

const shown = [
  ['status', 'Status'],
  ['next_billing_date', 'Next billing'],
  ['cancel_at_next_billing_date', 'Ends with the cycle'],
  ['cancelled_at', 'Cancelled'],
  ['paused_at', 'Paused'],
  ['expires_at', 'Expires'],
] as const

function differences(before: Json, after: Json): readonly (readonly [string, Children])[] {
  const changed = shown.filter(([name]) => before[name] !== after[name])
  if (changed.length === 0) return [['Changes', 'nothing: it is so already']]
  return changed.map(([name, label]) => [
    label,
    <>
      {saidOf(before[name])} → {saidOf(after[name])}
    </>,
  ])
}

function saidOf(value: unknown): Children {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null || value === undefined) return <span class="none">–</span>
  const isTime = /^\d{4}-\d\d-\d\dT/.test(String(value))
  return isTime ? <When at={value} /> : <StateBadge>{value}</StateBadge>
}

function FinalCharge({ charge }: { charge: Json | null }) {
  if (charge === null) return null
  const { amount, currency } = charge
  return <Facts of={[['Charged at once', shownMoney(Number(amount), String(currency))]]} />
}

function CreditEffects({ credits, row }: { credits: readonly Json[]; row: Json }) {
  if (credits.length === 0) return <p class="note">The customer’s credits stay as they are.</p>
  const carts = row['credit_entitlement_cart'] as readonly Json[]
  return (
    <div>
      {credits.map((credit) => {
        const id = String(credit['credit_entitlement_id'])
        const cart = carts.find((one) => one['credit_entitlement_id'] === id)
        return (
          <div key={id}>
            <h3>{String(cart?.['credit_entitlement_name'] ?? id)}</h3>
            <Facts
              of={[
                ...(credit['entries'] as readonly Json[]).map(
                  (entry) =>
                    [
                      String(entry['transaction_type']).replaceAll('_', ' '),
                      `${entry['is_credit'] === true ? '+' : '−'}${groupedDecimal(String(entry['amount']))}`,
                    ] as const,
                ),
                ['Balance then', groupedDecimal(String(credit['balance_after']))],
              ]}
            />
          </div>
        )
      })}
    </div>
  )
}
