import type { ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import type { KindColumn, ShownAs } from './kind.ts'

import { count, groupedDecimal, shownMajor, shownMoney } from './moments.ts'
import { StateBadge, When } from './parts.tsx'
import type { Children } from './ui.ts'

/** A field of what the API answers, as people read it. */
export function shownField(mode: ShownMode, row: Json, { field, as }: KindColumn): Children {
  const value = row[field]
  if (value === null || value === undefined || value === '') return <span class="none">–</span>
  if (typeof as === 'object') {
    return 'money' in as
      ? shownMoney(Number(value), String(row[as.money] ?? 'USD'))
      : shownMajor(String(value), String(row[as.major] ?? 'USD'))
  }
  return shownAs(mode, value, as)
}

function shownAs(mode: ShownMode, value: unknown, as: Exclude<ShownAs, object>): Children {
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

/** Who it is, which leads to their page. */
export function CustomerLink({ mode, customer }: { mode: ShownMode; customer: Json }) {
  const { customer_id: id, name, email } = customer
  return <a href={hrefOf(mode, ['customers', String(id)])}>{String(name ?? email ?? id)}</a>
}

const stepsOfIds: Readonly<Record<string, string>> = {
  cus: 'customers',
  sub: 'subscriptions',
  pay: 'payments',
  mtr: 'meters',
  cde: 'credit-entitlements',
  pdt: 'products',
  adn: 'addons',
  dsc: 'discounts',
  brnd: 'brands',
  pdc: 'product-collections',
  ref: 'refunds',
  dis: 'disputes',
  pyt: 'payouts',
  lic: 'licenses',
  whk: 'webhooks',
  cle: 'why',
  cgr: 'why',
}

/** The page of an id that we made, by its beginning; null: it has none. */
export function stepOfId(id: string): string | null {
  const [, prefix = ''] = /^([a-z]{3,4})_[\w-]{21}$/.exec(id) ?? []
  return stepsOfIds[prefix] ?? null
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
            <ShownJson mode={mode} value={one} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
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
