import type { ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { groupedDecimal } from './moments.ts'
import { shownMoney } from './money.ts'
import { Facts } from './parts.tsx'
import type { Children } from './ui.ts'

interface ProductNeeds {
  readonly mode: ShownMode
  /** The product, as the API shows it. */
  readonly row: Json
}

/** What a product costs and what it brings, in words. */
export function ProductFacts({ mode, row }: ProductNeeds) {
  const price = row['price'] as Json
  const credits = (row['credit_entitlements'] ?? []) as readonly Json[]
  const meters = (price['meters'] ?? []) as readonly Json[]
  const days = Number(price['trial_period_days'] ?? 0)
  return (
    <Facts
      of={[
        ['Price', priceWords(price)],
        ...(days > 0 ? [['Trial', days === 1 ? 'a day' : `${days} days`] as const] : []),
        ...(credits.length > 0
          ? [['Brings', <EachOf rows={credits} shown={creditsIn(mode, price)} />] as const]
          : []),
        ...(meters.length > 0
          ? [['Counts', <EachOf rows={meters} shown={meterIn(mode)} />] as const]
          : []),
      ]}
    />
  )
}

function EachOf({
  rows,
  shown,
}: {
  rows: readonly Json[]
  shown: (row: Json, index: number) => Children
}) {
  return <ul class="plain">{rows.map((row, index) => shown(row, index))}</ul>
}

const creditsIn = (mode: ShownMode, price: Json) => (credit: Json) => {
  const id = String(credit['credit_entitlement_id'])
  const unit = String(credit['credit_entitlement_unit'])
  return (
    <li key={id}>
      {groupedDecimal(String(credit['credits_amount']))} {unit} of{' '}
      <a href={hrefOf(mode, ['credit-entitlements', id])}>
        {String(credit['credit_entitlement_name'])}
      </a>
      {price['type'] === 'one_time_price' ? ', once' : ', each cycle'}
    </li>
  )
}

const meterIn = (mode: ShownMode) => (meter: Json) => {
  const id = String(meter['meter_id'])
  const perCredit = meter['meter_units_per_credit']
  return (
    <li key={id}>
      <a href={hrefOf(mode, ['meters', id])}>{String(meter['name'])}</a>
      {perCredit !== null && perCredit !== undefined
        ? `, ${groupedDecimal(String(perCredit))} ${String(meter['measurement_unit'])} a credit`
        : ''}
    </li>
  )
}

/** Such as `€29.00 every 3 months`. */
function priceWords(price: Json): string {
  const amount = Number(price['fixed_price'] ?? price['price'] ?? 0)
  const shown = shownMoney(amount, String(price['currency']))
  if (price['type'] === 'one_time_price') {
    return price['pay_what_you_want'] === true ? `${shown} or more, once` : `${shown}, once`
  }
  const interval = String(price['payment_frequency_interval']).toLowerCase()
  const cycles = Number(price['payment_frequency_count'])
  const every = cycles === 1 ? interval : `${cycles} ${interval}s`
  return price['type'] === 'usage_based_price'
    ? `${shown} every ${every}, and what is used`
    : `${shown} every ${every}`
}
