import type { Changes } from '../../../src/parts/store/changes.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { SubscriptionStatus } from '../../../src/rules/commerce/subscriptions/subscription.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { decidedAt as at, changeWith, subscribing } from './decided.ts'
import { subscriptionOf } from './subscription.ts'

const newId = randomIds()

/** A subscription of a customer to a product of a brand, in a state. Answers its id. */
export async function subscribed(
  changes: Pick<Changes, 'commit'>,
  scope: Scope,
  of: {
    readonly customerId: string
    readonly brandId: string
    readonly status: SubscriptionStatus
    readonly productId?: string
  },
): Promise<string> {
  const { customerId, brandId, status, productId = 'pdt_none' } = of
  const plain = subscriptionOf(newId('sub'), customerId, { of: 'cde_none', at })
  const row = { ...plain, brandId, status, productId }
  const change = { ...changeWith(scope, { rows: [subscribing(row)] }), clockAhead: null }
  if ((await changes.commit(change)) !== 'committed') throw new Error('Not subscribed.')
  return row.subscriptionId
}
