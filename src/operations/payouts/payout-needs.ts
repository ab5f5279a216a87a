import type { Balances } from '../../parts/store/balances.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { Payouts } from '../../parts/store/payouts.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewId } from '../../std/id.ts'
import type { Tries } from '../accounts/until-written.ts'
import type { FeeNeeds } from '../balances/booked-rows.ts'

/** What payouts need. */
export interface PayoutNeeds extends FeeNeeds, Tries {
  readonly balances: Balances
  readonly businesses: Pick<Businesses, 'clockAhead' | 'find'>
  readonly changes: Pick<Changes, 'commit'>
  readonly clock: Clock
  readonly newId: NewId
  readonly payouts: Payouts
}
