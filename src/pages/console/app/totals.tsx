import type { ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, useLoaded } from './calls.ts'
import { count, groupedDecimal, shortTime } from './moments.ts'
import { shownMoney } from './money.ts'
import { PasteCommand } from './parts.tsx'
import { RowTable } from './tables.tsx'
import type { Children } from './ui.ts'

interface Sums {
  /** Null: there was more than is summed up. */
  readonly since: string | null
  readonly items: readonly Json[]
}

/** What came in lately, and what was granted and used. */
export function TotalFigures({ mode }: { mode: ShownMode }) {
  const { data } = useLoaded<{ money: Sums; credits: Sums }>(apiPath(mode, '/overview/totals'))
  if (data === null) return null
  // What costs nothing, such as the start of a trial, is a payment, too.
  const taken = data.money.items.filter(({ amount }) => Number(amount) > 0)
  return (
    <>
      <Total title="Money taken" sums={{ ...data.money, items: taken }} none={<NothingTaken />}>
        <p class="balance">
          {taken
            .map((one) => shownMoney(Number(one['amount']), String(one['currency'])))
            .join(' + ')}{' '}
          <small>
            in{' '}
            <a href={hrefOf(mode, ['payments'], { status: 'succeeded' })}>
              {count(taken.reduce((sum, one) => sum + Number(one['payments']), 0))} payments
            </a>
          </small>
        </p>
      </Total>
      <Total title="Credits" sums={data.credits} none={<p class="note">None moved.</p>}>
        <RowTable
          columns={creditColumns(mode)}
          rows={data.credits.items}
          keyOf={(row) => String(row['credit_entitlement_id'])}
        />
      </Total>
    </>
  )
}

function Total({
  title,
  sums: { since, items },
  none,
  children,
}: {
  title: string
  sums: Sums
  none: Children
  children: Children
}) {
  return (
    <div>
      <h2>
        {title} {since !== null && <small class="note">since {shortTime(since)}</small>}
      </h2>
      {since === null ? (
        <p class="note">More than can be summed up here, even in the last hour.</p>
      ) : items.length === 0 ? (
        none
      ) : (
        children
      )}
    </div>
  )
}

const NothingTaken = () => (
  <>
    <p class="note">Nothing yet. A checkout session takes some:</p>
    <PasteCommand>
      {`npm run -s sluice -- api POST /checkouts --data '{"product_cart":[{"product_id":"pdt_…","quantity":1}]}'`}
    </PasteCommand>
  </>
)

const creditColumns = (mode: ShownMode) => [
  {
    head: 'Credits',
    cell: (row: Json) => (
      <a href={hrefOf(mode, ['credit-entitlements', String(row['credit_entitlement_id'])])}>
        {String(row['name'])}
      </a>
    ),
  },
  { head: 'Unit', cell: (row: Json) => String(row['unit']) },
  { head: 'Granted', kind: 'number' as const, cell: (row: Json) => decimalOf(row['granted']) },
  { head: 'Used', kind: 'number' as const, cell: (row: Json) => decimalOf(row['used']) },
]

const decimalOf = (value: unknown): string => groupedDecimal(String(value))
