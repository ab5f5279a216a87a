import { applyBoundary } from '../../../src/operations/boundaries/apply-boundary.ts'
import { createCheckout } from '../../../src/operations/checkouts/create-checkout.ts'
import type { PayCheckoutNeeds } from '../../../src/operations/checkouts/pay-checkout.ts'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type {
  MeterPrice,
  RecurringPrice,
  UsageBasedPrice,
} from '../../../src/rules/commerce/catalog/price.ts'
import type { CreditMapping } from '../../../src/rules/commerce/catalog/product.ts'
import { inherited } from '../../../src/rules/commerce/catalog/product.ts'
import type { OnDemandStart } from '../../../src/rules/commerce/subscriptions/on-demand.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { item, productOf } from '../../rules/commerce/payments/purchases.ts'
import { checkoutFor, payingWith } from '../../support/payments/checkouts.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { january } from '../../support/store/scratch-store.ts'

export const good = '4242424242424242'

const month = { count: 1, interval: 'Month' } as const

/** A plan of 1000 a month with 100 credits, and a customer who has paid for it with a card. */
export async function subscribed(
  store: ScratchStore,
  {
    card = good,
    price = {},
    mapping: own = {},
    metered = null,
    onDemand = null,
    shop = null,
    language = null,
  }: {
    /** That the checkout was told. */
    language?: string | null
    onDemand?: OnDemandStart | null
    /** Whose it is; absent: a new business. */
    shop?: Scope | null
    card?: string
    price?: Partial<RecurringPrice>
    mapping?: Partial<CreditMapping>
    /** Meters that cost money or, with a null price, a credit each unit. */
    metered?: readonly Pick<MeterPrice, 'meterId' | 'pricePerUnit'>[] | null
  } = {},
) {
  const scope = shop ?? (await store.business())
  const entitlementId = await store.entitlement(scope)
  const mapping = {
    ...inherited,
    creditEntitlementId: entitlementId,
    creditsAmount: '100',
    lowBalanceThresholdPercent: 20,
    mappingId: store.newId('cem'),
    ...own,
  }
  const monthly: RecurringPrice = {
    type: 'recurring_price',
    currency: 'EUR',
    discount: 0,
    purchasingPowerParity: false,
    taxInclusive: null,
    price: 1_000,
    frequency: month,
    period: { count: 5, interval: 'Year' },
    trialPeriodDays: 0,
    trialAmount: null,
    trialApplyDiscounts: false,
    ...price,
  }
  const sold = metered === null ? monthly : byUsage(monthly, metered, entitlementId)
  const product = productOf(store.newId('pdt'), sold, { creditEntitlements: [mapping] })
  await store.changes.commit(rowAlone(scope, { noun: 'product', expected: null, row: product }))
  const usual = checkoutFor([item(product.productId)])
  const request = { ...usual, onDemand, look: { ...usual.look, language } }
  const { sessionId } = await createCheckout(store, scope, { request, at: january })
  const paid = await payCheckout(store, 'test', payingWith(sessionId, card))
  if ('wrong' in paid) throw new Error('The checkout was not paid.')
  const { customerId } = paid.payment
  const of = { store, scope, customerId, entitlementId, product, paid: paid.payment }
  return { ...of, ...readingOf(of), subscriptionId: paid.payment.subscriptionId ?? '' }
}

function byUsage(
  { price: fixedPrice, ...monthly }: RecurringPrice,
  metered: readonly Pick<MeterPrice, 'meterId' | 'pricePerUnit'>[],
  entitlementId: string,
): UsageBasedPrice {
  const { currency, discount, frequency, period, purchasingPowerParity, taxInclusive } = monthly
  return {
    type: 'usage_based_price',
    fixedPrice,
    currency,
    discount,
    frequency,
    period,
    purchasingPowerParity,
    taxInclusive,
    meters: metered.map(({ meterId, pricePerUnit }) => ({
      meterId,
      pricePerUnit,
      creditEntitlementId: pricePerUnit === null ? entitlementId : null,
      meterUnitsPerCredit: pricePerUnit === null ? '1' : null,
      freeThreshold: pricePerUnit === null ? null : 10,
    })),
  }
}

export type Subscribed = Awaited<ReturnType<typeof subscribed>>

function readingOf(of: {
  readonly store: ScratchStore
  readonly scope: Scope
  readonly customerId: string
  readonly entitlementId: string
}) {
  const { store, scope, customerId, entitlementId } = of
  return {
    subscription: async (subscriptionId: string) => {
      const found = await store.subscriptions.find(scope, subscriptionId)
      if (found === null) throw new Error('The subscription is gone.')
      return found
    },
    /** What the customer's grants still hold, in whole credits. */
    balance: async () => {
      const [view] = await store.accounts.load([{ ...scope, customerId, entitlementId }])
      const account = view?.stored?.account
      const scale = 10n ** BigInt(account?.precision ?? 0)
      const held = account?.state.holdings.reduce((all, { remaining }) => all + remaining, 0n)
      return Number((held ?? 0n) / scale)
    },
    /** Oldest first. */
    payments: async () => {
      const page = { limit: 100, offset: 0 }
      return (await store.payments.list(scope, anyPayment, page)).toReversed()
    },
    /** The kinds of facts that were told, in their order. */
    told: async () => {
      const rows = await store.db.query<{ type: string }>(sql`
        select type from outbox where business_id = ${scope.businessId} order by id`)
      return rows.map(({ type }) => type).filter((type) => type !== 'subscription.updated')
    },
  }
}

export const anyPayment = {
  brandId: null,
  customerId: null,
  productId: null,
  subscriptionId: null,
  currency: null,
  status: null,
  disputeStatus: null,
  createdFrom: null,
  createdTo: null,
}

/** Applies everything that is due by then, in its order. */
export async function untilThen(
  needs: PayCheckoutNeeds,
  scope: Scope,
  then: Instant,
): Promise<void> {
  for (;;) {
    const [next] = await needs.boundaries.due(then, scope, 1)
    if (next === undefined) return
    await applyBoundary(needs, next)
  }
}
