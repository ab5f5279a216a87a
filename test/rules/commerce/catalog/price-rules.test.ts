import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RecurringPrice } from '../../../../src/rules/commerce/catalog/price.ts'
import { priceRejection } from '../../../../src/rules/commerce/catalog/price-rules.ts'
import type { Frequency, TimeInterval } from '../../../../src/std/calendar.ts'
import { addIntervals } from '../../../../src/std/calendar.ts'
import { day, instantOf } from '../../../../src/std/instant.ts'

const price = (payment: Frequency, period: Frequency): RecurringPrice => ({
  type: 'recurring_price',
  currency: 'USD',
  discount: 0,
  purchasingPowerParity: false,
  taxInclusive: null,
  price: 100,
  frequency: { count: payment.count, interval: payment.interval },
  period: { count: period.count, interval: period.interval },
  trialPeriodDays: 0,
  trialAmount: null,
  trialApplyDiscounts: false,
})

const interval = fc.constantFrom<TimeInterval>('Day', 'Week', 'Month', 'Year')
const frequency = fc.record({ count: fc.integer({ min: 1, max: 40 }), interval })

describe('the payment frequency of a price', () => {
  it('is refused only if it is longer than the period whenever it starts', () => {
    fc.assert(
      fc.property(frequency, frequency, fc.integer({ min: 0, max: 30_000 }), (a, b, days) => {
        if (priceRejection(price(a, b)) === null) return
        const anchor = instantOf(days * day)
        expect(addIntervals(anchor, a, 1)).toBeGreaterThan(addIntervals(anchor, b, 1))
      }),
    )
  })

  it('is refused if it is two times longer', () => {
    fc.assert(
      fc.property(frequency, ({ count, interval }) => {
        const twice = { count: count * 2, interval }
        expect(priceRejection(price(twice, { count, interval }))).not.toBeNull()
        expect(priceRejection(price({ count, interval }, twice))).toBeNull()
      }),
    )
  })

  it('may be as long as the period, however both are written', () => {
    const year: Frequency = { count: 1, interval: 'Year' }
    const months: Frequency = { count: 12, interval: 'Month' }
    expect(priceRejection(price(year, months))).toBeNull()
    expect(priceRejection(price(months, year))).toBeNull()
    expect(priceRejection(price(year, { count: 11, interval: 'Month' }))).not.toBeNull()
  })
})
