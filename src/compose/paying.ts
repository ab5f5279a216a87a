import type { Config } from '../config.ts'
import type { PayCheckoutNeeds } from '../operations/checkouts/pay-checkout.ts'
import type { PayoutNeeds } from '../operations/payouts/payout-needs.ts'
import type { RefundNeeds } from '../operations/refunds/refund-needs.ts'
import type { DbPool } from '../parts/store/postgres/connection/client.ts'
import { believedTimes } from '../parts/store/postgres/usage/believed-time.ts'
import type { Clock } from '../runtime/clock.ts'
import type { NewId } from '../std/id.ts'
import { earlierOf } from '../std/instant.ts'
import { repositories } from './store.ts'

/**
 * What a command of the operator needs to pay, to give back, and to pay out. It runs for a moment,
 * so it believes the time to which both this machine and the store have come. [guarantees#clocks]
 */
export async function paying(
  { db, clock, newId }: { readonly db: DbPool; readonly clock: Clock; readonly newId: NewId },
  config: Pick<Config, 'dedupeWindow' | 'rapidResolutionMax'>,
): Promise<PayCheckoutNeeds & PayoutNeeds & RefundNeeds> {
  const { now: storeTime } = await believedTimes(db, null).recall()
  const believed = earlierOf(clock.now(), storeTime)
  return {
    ...repositories(db, config),
    newId,
    clock: { ...clock, believed: () => believed },
    wrote: () => undefined,
  }
}
