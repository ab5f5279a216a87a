import type { Customers } from '../../parts/store/customers.ts'
import type { Deliveries } from '../../parts/store/deliveries.ts'
import type { Explanations } from '../../parts/store/explanations.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Voids } from '../../parts/store/voids.ts'
import type { EntryOfAccount, Told } from '../../rules/explain/account-records.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Duration } from '../../std/instant.ts'
import type { AccountNeeds } from '../accounts/change-accounts.ts'
import type { CopiesNeeds } from './copies.ts'

export interface ExplainNeeds extends CopiesNeeds, AccountNeeds {
  readonly explanations: Explanations
  readonly meters: Meters
  readonly customers: Customers
  readonly deliveries: Deliveries
  readonly voids: Pick<Voids, 'find' | 'ofCustomer'>
  readonly clock: Clock
  /** How old an event may be when it is sent. [events#times] */
  readonly backfillMax: Duration
}

/** Which endpoints were told of an entry, and which will be. */
export async function toldOf(
  { explanations, deliveries }: ExplainNeeds,
  { accountId, number }: EntryOfAccount,
): Promise<Told> {
  // Waiting facts first: a fact that is relayed meanwhile is among the deliveries by the time those
  // are read.
  const waiting = await explanations.untold(accountId, number)
  return { waiting, deliveries: await deliveries.ofEntry(accountId, number) }
}
