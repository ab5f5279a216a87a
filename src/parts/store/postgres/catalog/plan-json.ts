import type { CarriedAddon } from '../../../../rules/commerce/catalog/addon.ts'
import type {
  PendingChange,
  ScheduledChange,
  SubscribedPlan,
} from '../../../../rules/commerce/subscriptions/subscription.ts'
import { formatInstant } from '../../../../std/instant.ts'
import { instantFrom } from '../connection/values.ts'
import type { CartItemJson } from './cart-json.ts'
import { cartFrom, cartJson } from './cart-json.ts'
import type { KeptDiscountJson } from './kept-discount-json.ts'
import { keptDiscountFrom, keptDiscountJson } from './kept-discount-json.ts'
import type { LinkJson } from './stretches.ts'
import { linkFrom, linkJson } from './stretches.ts'

type PlanJson = Omit<SubscribedPlan, 'addons' | 'links' | 'cart'> & {
  readonly addons?: readonly CarriedAddon[]
  readonly links: readonly LinkJson[]
  readonly cart: readonly CartItemJson[]
}

/** A plan change that waits for the end of a cycle, as a row has it. */
export type ScheduledJson = Omit<
  ScheduledChange,
  'createdAt' | 'discounts' | 'metadata' | 'plan'
> & {
  readonly createdAt: string
  readonly plan: PlanJson
  /** Both absent in rows that were written before plan changes took either. */
  readonly discounts?: readonly KeptDiscountJson[] | null
  readonly metadata?: ScheduledChange['metadata']
}

/** One that waits for its payment. */
export type ChangingJson = Omit<PendingChange, 'discounts' | 'plan'> & {
  readonly plan: PlanJson
  readonly discounts: readonly KeptDiscountJson[]
}

const planFrom = (plan: PlanJson): SubscribedPlan => ({
  ...plan,
  addons: plan.addons ?? [],
  links: plan.links.map(linkFrom),
  cart: cartFrom(plan.cart),
})

const planJson = (plan: SubscribedPlan): PlanJson => ({
  ...plan,
  links: plan.links.map(linkJson),
  cart: cartJson(plan.cart),
})

export const scheduledFrom = ({
  discounts,
  metadata,
  plan,
  ...stored
}: ScheduledJson): ScheduledChange => ({
  ...stored,
  createdAt: instantFrom(stored.createdAt),
  plan: planFrom(plan),
  discounts: discounts?.map(keptDiscountFrom) ?? null,
  metadata: metadata ?? null,
})

export const scheduledJson = ({
  discounts,
  plan,
  ...scheduled
}: ScheduledChange): ScheduledJson => ({
  ...scheduled,
  createdAt: formatInstant(scheduled.createdAt),
  plan: planJson(plan),
  discounts: discounts?.map(keptDiscountJson) ?? null,
})

export const changingFrom = (stored: ChangingJson | null): PendingChange | null =>
  stored === null
    ? null
    : { ...stored, plan: planFrom(stored.plan), discounts: stored.discounts.map(keptDiscountFrom) }

export const changingJson = (changing: PendingChange | null): ChangingJson | null =>
  changing === null
    ? null
    : {
        ...changing,
        plan: planJson(changing.plan),
        discounts: changing.discounts.map(keptDiscountJson),
      }
