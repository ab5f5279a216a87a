import type { ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath } from './calls.ts'
import { stepOfId } from './ids.ts'
import type { KindColumn, ShownAs } from './kind.ts'
import { count, groupedDecimal } from './moments.ts'
import { shownMajor, shownMoney } from './money.ts'
import { StateBadge, When } from './parts.tsx'
import type { Children } from './ui.ts'

/** A field of what the API answers, as people read it. */
export function shownField(mode: ShownMode, row: Json, { field, as }: KindColumn): Children {
  const value = row[field]
  if (value === null || value === undefined || value === '') return <span class="none">–</span>
  if (typeof as === 'object') {
    if ('major' in as) return shownMajor(String(value), String(row[as.major] ?? 'USD'))
    const isOut = as.out !== undefined && row[as.out] === false
    return shownMoney(isOut ? -Number(value) : Number(value), String(row[as.money] ?? 'USD'))
  }
  if (as === 'taken') return takenOff(row)
  if (as === 'invoice') return <InvoiceLink mode={mode} row={row} />
  return shownAs(mode, value, as)
}

function shownAs(
  mode: ShownMode,
  value: unknown,
  as: Exclude<ShownAs, object | 'taken' | 'invoice'>,
): Children {
  switch (as) {
    case 'when':
      return <When at={value} />
    case 'state':
      return <StateBadge>{value}</StateBadge>
    case 'number':
      return typeof value === 'number' ? count(value) : groupedDecimal(String(value))
    case 'flag':
      return value === true ? 'yes' : 'no'
    case 'id':
      return <IdLink mode={mode} id={String(value)} />
    case 'customer':
      return <CustomerLink mode={mode} customer={value as Json} />
    case 'text':
      return String(value)
  }
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 })

/** What a discount takes off: hundredths of a percent, or an amount in each of its currencies. */
function takenOff({ type, amount, currency_options: options }: Json): string {
  if (type === 'percentage') return percent.format(Number(amount) / 10_000)
  const amounts = (options ?? []) as readonly Json[]
  const most = amounts.flatMap(({ currency, max_amount_possible: value }) =>
    typeof value === 'number' ? shownMoney(value, String(currency)) : [],
  )
  return most.join(' · ')
}

/** Columns of a table as lists have them, but for those that say the same in every row. */
export const columnsOf = (
  mode: ShownMode,
  columns: readonly KindColumn[],
  without: readonly string[] = [],
) =>
  columns
    .filter(({ field }) => !without.includes(field))
    .map((column) => ({
      head: column.head,
      ...(isNumber(column) ? { kind: 'number' as const } : {}),
      cell: (row: Json) => shownField(mode, row, column),
    }))

export const isNumber = ({ as }: KindColumn): boolean => as === 'number' || typeof as === 'object'

/** The number of a payment's invoice, which opens it. */
function InvoiceLink({ mode, row }: { mode: ShownMode; row: Json }) {
  const path = apiPath(mode, `/invoices/payments/${encodeURIComponent(String(row['payment_id']))}`)
  return (
    <a href={path} target="_blank" rel="noreferrer">
      {String(row['invoice_id'])}
    </a>
  )
}

/** Who it is, which leads to their page. */
export function CustomerLink({ mode, customer }: { mode: ShownMode; customer: Json }) {
  const { customer_id: id, name, email } = customer
  return <a href={hrefOf(mode, ['customers', String(id)])}>{String(name ?? email ?? id)}</a>
}

/** An id, which leads to the page of what it names. */
export function IdLink({ mode, id }: { mode: ShownMode; id: string }) {
  const step = stepOfId(id)
  if (step === null) return <code>{id}</code>
  return (
    <a href={hrefOf(mode, [step, id])}>
      <code>{id}</code>
    </a>
  )
}

interface ShownJsonNeeds {
  readonly mode: ShownMode
  readonly value: unknown
  /** Within how many others it stands: deeper parts stand below their names, not beside them. */
  readonly depth?: number
}

/** Anything that the API answers: names and values, one level within another. */
export function ShownJson({ mode, value, depth = 0 }: ShownJsonNeeds) {
  if (value === null || value === undefined || value === '') return <span class="none">–</span>
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (typeof value === 'number') return <>{count(value)}</>
  if (typeof value === 'string') return <ShownText mode={mode} text={value} />
  const entries = Object.entries(value)
  if (entries.length === 0) return <span class="none">none</span>
  return (
    <dl class="facts inner">
      {entries.map(([name, one]) => (
        <div key={name} class={depth > 0 && isWhole(one) ? 'deep' : undefined}>
          <dt>{Array.isArray(value) ? `${Number(name) + 1}.` : spokenName(name)}</dt>
          <dd>
            {moneyOf(value as Json, name) ?? (
              <ShownJson mode={mode} value={one} depth={depth + 1} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Names of fields that are minor units of the currency beside them. */
const ofMoney: ReadonlySet<string> = new Set([
  'after_balance',
  'amount',
  'balance',
  'before_balance',
  'fixed_price',
  'price',
  'recurring_pre_tax_amount',
  'refundable_amount',
  'tax',
  'total_amount',
  'trial_amount',
])

/** Such a field as people write it; null: it is none. */
function moneyOf(row: Json, name: string): string | null {
  const [value, currency] = [row[name], row['currency']]
  if (name === 'amount' && row['type'] === 'percentage') return takenOff(row)
  const isMoney = ofMoney.has(name) && typeof value === 'number' && typeof currency === 'string'
  return isMoney ? shownMoney(value, currency) : null
}

/** Whether something has parts of its own to show. */
const isWhole = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

function ShownText({ mode, text }: { mode: ShownMode; text: string }) {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return <When at={text} />
  if (stepOfId(text) !== null) return <IdLink mode={mode} id={text} />
  return <>{text}</>
}

/** `next_billing_date` as somebody says it. */
export const spokenName = (name: string): string =>
  /^[a-z0-9_]+$/.test(name)
    ? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
    : name
