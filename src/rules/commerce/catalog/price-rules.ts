import type { Frequency, TimeInterval } from '../../../std/calendar.ts'
import type { Price } from './price.ts'
import { isRecurring } from './price.ts'
import type { Rejection } from './rejection.ts'
import { invalid } from './rejection.ts'

/** What must hold between the fields of a price. [resources#prices] */
export function priceRejection(price: Price): Rejection | null {
  if (price.type === 'one_time_price') {
    const { payWhatYouWant: free, suggestedPrice: suggested } = price
    // Without pay_what_you_want the suggested price is not used, so it cannot be wrong.
    if (!free || suggested === null || suggested >= price.price) return null
    const problem = 'price.suggested_price must not be below price.price, which is the minimum.'
    return { code: 'INVALID_SUGGESTED_PRICE', problem }
  }
  if (price.type === 'recurring_price' && price.trialAmount !== null) {
    if (price.trialPeriodDays === 0) {
      return invalid('price.trial_amount needs price.trial_period_days above 0.')
    }
  }
  return periodRejection(price)
}

/**
 * Neither the time between payments nor a trial can be longer than the subscription lasts.
 * [subscriptions#endings]
 */
function periodRejection(price: Price): Rejection | null {
  if (!isRecurring(price)) return null
  const { frequency, period } = price
  if (isLonger(frequency, period)) {
    return invalid('price.payment_frequency must not be longer than price.subscription_period.')
  }
  const trialDays = price.type === 'recurring_price' ? price.trialPeriodDays : 0
  if (!isLonger({ count: trialDays, interval: 'Day' }, period)) return null
  return invalid('price.trial_period_days must not be longer than price.subscription_period.')
}

/** Whether `a` is longer than `b` in every calendar: months are compared as months. */
function isLonger(a: Frequency, b: Frequency): boolean {
  const [inMonths, otherInMonths] = [monthsOf(a), monthsOf(b)]
  if (inMonths !== null && otherInMonths !== null) return inMonths > otherInMonths
  return a.count * shortestDays[a.interval] > b.count * longestDays[b.interval]
}

function monthsOf({ count, interval }: Frequency): number | null {
  if (interval === 'Month') return count
  return interval === 'Year' ? count * 12 : null
}

const shortestDays: Record<TimeInterval, number> = { Day: 1, Week: 7, Month: 28, Year: 365 }
const longestDays: Record<TimeInterval, number> = { Day: 1, Week: 7, Month: 31, Year: 366 }
