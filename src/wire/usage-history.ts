import assert from 'node:assert/strict'
import { limits } from '../limits.ts'
import type { Currency } from '../rules/commerce/currency.ts'
import type { UsagePeriod } from '../rules/commerce/subscriptions/usage-history.ts'
import type { Meter } from '../rules/meter/meter.ts'
import type { Usage } from '../rules/meter/route.ts'
import { formatDecimal, powerOfTen } from '../std/decimal.ts'
import { formatInstant } from '../std/instant.ts'

/** [resources#subscriptions] */
export const usageHistoryItem = (
  period: UsagePeriod,
  currency: Currency,
  meters: ReadonlyMap<string, Meter>,
) => ({
  end_date: formatInstant(period.end),
  meters: period.meters.map((meter) => ({
    id: meter.meterId,
    chargeable_units: unitsText(meter.chargeable),
    consumed_units: unitsText(meter.consumed),
    currency,
    free_threshold: Number(meter.freeThreshold / powerOfTen(limits.usageScale)),
    name: meters.get(meter.meterId)?.name ?? '',
    price_per_unit: meter.pricePerUnit,
    total_price: exactly(meter.totalPrice),
  })),
  start_date: formatInstant(period.start),
})

/** The operation has refused prices that no number can hold. */
function exactly(price: number | null): number {
  assert(price !== null)
  return price
}

const unitsText = (units: Usage): string => formatDecimal(units, limits.usageScale)
