import { changePlan } from '../../../src/operations/subscriptions/change-plan.ts'
import { previewPlanChange } from '../../../src/operations/subscriptions/preview-plan-change.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import type { PlanChangeRequest } from '../../../src/rules/commerce/subscriptions/plan-change-request.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, after as later, minute } from '../../../src/std/instant.ts'
import { productOf } from '../../rules/commerce/payments/purchases.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, january } from '../../support/store/scratch-store.ts'
import { subscribed, untilThen } from './subscribing.ts'

export const payOnce = '4000000000000341'

/** What its processor says of a charge only after a minute. */
export const slowly = async () => ({
  outcome: { status: 'processing' } as const,
  news: [{ after: minute, outcome: { status: 'succeeded' } as const }],
})

/** The middle of the first cycle. */
export const half = later(january, 15.5 * day)

/** Somebody on a plan of 1000 a month, and a dearer one beside it. */
export async function betweenPlans(store: ScratchStore, card: string) {
  const one = await subscribed(store, { card })
  const { product, scope, subscriptionId } = one
  if (product.price.type !== 'recurring_price') throw new Error('A plan without a price.')
  const dear = productOf(
    store.newId('pdt'),
    { ...product.price, price: 5_000 },
    { creditEntitlements: product.creditEntitlements },
  )
  await store.changes.commit(rowAlone(scope, { noun: 'product', expected: null, row: dear }))
  const { charge: charged } = store.processors.test
  const asking = (asked: Partial<PlanChangeRequest>): PlanChangeRequest => ({
    subscriptionId,
    productId: dear.productId,
    quantity: 1,
    mode: 'difference_immediately',
    addons: [],
    discountCodes: null,
    waits: null,
    replaces: false,
    onFailure: null,
    metadata: null,
    ...asked,
  })
  return {
    ...one,
    dear,
    found: () => one.subscription(subscriptionId),
    change: (asked: Partial<PlanChangeRequest> = {}, at: Instant = half, charge = charged) => {
      const test = { ...store.processors.test, charge }
      const processors = { ...store.processors, test }
      return changePlan(atMoment(at, { ...store, processors }), scope, asking(asked))
    },
    preview: (asked: Partial<PlanChangeRequest> = {}, at: Instant = half) =>
      previewPlanChange(atMoment(at, store), scope, asking(asked)),
    until: (at: Instant) => untilThen(atMoment(at, store), scope, at),
    update: (patch: object, at: Instant) =>
      updateSubscription(atMoment(at, store), scope, { subscriptionId, patch }),
  }
}
