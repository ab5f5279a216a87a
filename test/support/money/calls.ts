import { adjustBalance } from '../../../src/operations/accounts/adjust-balance.ts'
import { confirmCheckout } from '../../../src/operations/checkouts/confirm-checkout.ts'
import { createCheckout } from '../../../src/operations/checkouts/create-checkout.ts'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import { moveDispute } from '../../../src/operations/disputes/move-dispute.ts'
import { openDispute } from '../../../src/operations/disputes/open-dispute.ts'
import {
  activateLicense,
  deactivateLicense,
} from '../../../src/operations/licenses/use-license-key.ts'
import { deletePaymentMethod } from '../../../src/operations/payment-methods/delete-payment-method.ts'
import { openPayment } from '../../../src/operations/payments/open-payment.ts'
import { createPayout } from '../../../src/operations/payouts/create-payout.ts'
import { markPayout } from '../../../src/operations/payouts/mark-payout.ts'
import { createRefund } from '../../../src/operations/refunds/create-refund.ts'
import { markRefund } from '../../../src/operations/refunds/mark-refund.ts'
import { cancelScheduledChange } from '../../../src/operations/subscriptions/cancel-scheduled-change.ts'
import { changePlan } from '../../../src/operations/subscriptions/change-plan.ts'
import { chargeSubscription } from '../../../src/operations/subscriptions/charge-subscription.ts'
import { subscribe } from '../../../src/operations/subscriptions/subscribe.ts'
import { updatePaymentMethod } from '../../../src/operations/subscriptions/update-payment-method.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import { adjustWallet } from '../../../src/operations/wallets/adjust-wallet.ts'
import type { SavedMethod } from '../../../src/rules/commerce/payments/saved-method.ts'
import type { Call, PlanChange, Quiet } from '../../model/money/program.ts'
import { item } from '../../rules/commerce/payments/purchases.ts'
import { asked } from '../../rules/commerce/refunds/refunding.ts'
import { checkoutFor, payingWith } from '../payments/checkouts.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import type { Shop } from './shop.ts'

/** What a call may name, in the order in which it was made. */
export interface Named {
  readonly payments: readonly { readonly paymentId: string; readonly productId: string }[]
  readonly sessions: readonly string[]
  readonly subscriptions: readonly string[]
  readonly refunds: readonly string[]
  readonly disputes: readonly string[]
  readonly payouts: readonly string[]
  readonly licenses: readonly { readonly licenseKeyId: string; readonly key: string }[]
  readonly methods: readonly SavedMethod[]
}

const cards = ['4242424242424242', '5555555555554444', '4000000000000259']

export const cardOf = ({ card }: SavedMethod): number =>
  cards.findIndex((number) => number.endsWith(card.lastFour))

/** Does a call as an API, a page or an operator's command does it. Answers `done` or `nothing`. */
export async function doCall(
  desk: ScratchStore,
  shop: Shop,
  { step, named }: { readonly step: Call; readonly named: Named },
): Promise<'done' | 'nothing' | 'refused'> {
  switch (step.kind) {
    case 'buy': {
      const request = requestOf(shop, step)
      const { sessionId } = await createCheckout(desk, shop.scope, {
        request,
        at: desk.clock.now(),
      })
      return pays(desk, sessionId, step.card)
    }
    case 'open':
      return opens(desk, shop, { step, methods: named.methods })
    case 'pay':
      return which(named.sessions, step.session, (id) => pays(desk, id, step.card))
    case 'method':
      return which(named.subscriptions, step.subscription, (subscriptionId) =>
        which(named.methods, step.method, async ({ paymentMethodId }) => {
          await updatePaymentMethod(desk, shop.scope, { subscriptionId, paymentMethodId })
        }),
      )
    case 'charge':
      return which(named.subscriptions, step.subscription, (subscriptionId) =>
        charges(desk, shop, { subscriptionId, price: step.cents }),
      )
    case 'change':
      return which(named.subscriptions, step.subscription, (subscriptionId) =>
        changes(desk, shop, { subscriptionId, step }),
      )
    default:
      return doQuietly(desk, shop, { step, named })
  }
}

async function which<T>(
  all: readonly T[],
  number: number,
  then: (one: T) => Promise<unknown>,
): Promise<'done' | 'nothing' | 'refused'> {
  const one = all[number % Math.max(1, all.length)]
  if (one === undefined) return 'nothing'
  const result = await then(one)
  return result === 'refused' || result === 'nothing' ? result : 'done'
}

type Buy = Extract<Call, { kind: 'buy' }>
type Open = Extract<Call, { kind: 'open' }>

const requestOf = (
  shop: Shop,
  { code, product, quantity }: Pick<Buy, 'code' | 'product' | 'quantity'>,
) => ({
  ...checkoutFor([item(shop.products[product], quantity)]),
  discountCodes: code ? ['LESS'] : [],
  onDemand:
    product === 'demand'
      ? { mandateOnly: true, price: null, currency: null, description: null }
      : null,
  customer: { id: shop.customerId },
})

async function pays(
  desk: ScratchStore,
  sessionId: string,
  card: number,
): Promise<'done' | 'refused'> {
  const paid = await payCheckout(desk, 'test', payingWith(sessionId, cards[card] ?? ''))
  return 'wrong' in paid ? 'refused' : 'done'
}

async function opens(
  desk: ScratchStore,
  shop: Shop,
  { methods, step }: { readonly step: Open; readonly methods: readonly SavedMethod[] },
): Promise<'done'> {
  const { product } = step
  const method = step.method === null ? undefined : methods[step.method % methods.length]
  const paymentMethodId = method?.paymentMethodId ?? null
  const purchase = { request: requestOf(shop, step), linkTo: null, paymentMethodId }
  if (product === 'tool') {
    await openPayment(desk, shop.scope, { ...purchase, mayRenew: false })
    return 'done'
  }
  await subscribe(desk, shop.scope, purchase)
  return 'done'
}

async function doQuietly(
  desk: ScratchStore,
  shop: Shop,
  { step, named }: { readonly step: Quiet; readonly named: Named },
): Promise<'done' | 'nothing' | 'refused'> {
  const { scope } = shop
  switch (step.kind) {
    case 'confirm':
      return which(named.sessions, step.session, (sessionId) =>
        confirmCheckout(desk, 'test', { sessionId, passed: step.passed }),
      )
    case 'refund':
      return which(named.payments, step.payment, ({ paymentId, productId }) =>
        createRefund(desk, scope, asked({ paymentId, items: itemsOf(step, productId) })),
      )
    case 'settle':
      return which(named.refunds, step.refund, (refundId) =>
        markRefund(desk, refundId, step.succeeded ? 'succeeded' : 'failed'),
      )
    case 'dispute':
      return which(named.payments, step.payment, ({ paymentId }) =>
        openDispute(desk, { paymentId, amount: step.amount, reason: null, stage: 'dispute' }),
      )
    case 'move':
      return which(named.disputes, step.dispute, (disputeId) =>
        moveDispute(desk, { disputeId, status: `dispute_${step.to}`, remarks: null }),
      )
    case 'payout':
      await createPayout(desk, scope, 'USD')
      return 'done'
    case 'mark':
      return which(named.payouts, step.payout, (payoutId) =>
        markPayout(desk, { payoutId, status: step.to, remarks: null, payer: null }),
      )
    case 'activate':
    case 'deactivate':
      return which(named.licenses, step.license, (license) =>
        uses(desk, shop, { license, kind: step.kind }),
      )
    case 'unschedule':
      return which(named.subscriptions, step.subscription, (subscriptionId) =>
        cancelScheduledChange(desk, scope, subscriptionId),
      )
    case 'forget':
      return which(named.methods, step.method, ({ paymentMethodId }) => {
        const { customerId } = shop
        const of = { customerId, paymentMethodId, at: desk.clock.now() }
        return deletePaymentMethod(desk, scope, of)
      })
    case 'spend':
      await spends(desk, shop, step)
      return 'done'
    case 'fill':
      await fills(desk, shop, step.cents)
      return 'done'
    case 'reprice':
      await shop.reprice(step.product, step.price)
      return 'done'
    default:
      return which(named.subscriptions, step.subscription, (subscriptionId) =>
        updateSubscription(desk, scope, { subscriptionId, patch: patchOf(step) }),
      )
  }
}

const itemsOf = ({ part }: Extract<Quiet, { kind: 'refund' }>, itemId: string) =>
  part === null ? null : [{ itemId, amount: part.amount, taxInclusive: part.inclusive }]

type Living = Extract<Quiet, { kind: 'pause' | 'resume' | 'cancel' | 'atEnd' }>

function patchOf(step: Living) {
  if (step.kind === 'atEnd') return { cancelAtNextBillingDate: step.ends }
  return {
    status: ({ pause: 'paused', resume: 'active', cancel: 'cancelled' } as const)[step.kind],
  }
}

async function uses(
  desk: ScratchStore,
  { scope }: Shop,
  of: { readonly license: Named['licenses'][number]; readonly kind: 'activate' | 'deactivate' },
): Promise<'done' | 'nothing'> {
  const { key, licenseKeyId } = of.license
  if (of.kind === 'activate') {
    await activateLicense(desk, 'test', { key, name: 'a place' })
    return 'done'
  }
  const filter = { licenseKeyId, grantId: null }
  const newest = () => desk.licenseKeys.instances(scope, filter, { limit: 1, offset: 0 })
  for (let [place] = await newest(); place !== undefined; ) {
    const { instanceId } = place
    try {
      await deactivateLicense(desk, 'test', { key, instanceId })
      return 'done'
    } catch (error) {
      // Another call of a race has had it meanwhile: a call frees whichever there is.
      ;[place] = await newest()
      if (place?.instanceId === instanceId) throw error
    }
  }
  return 'nothing'
}

async function spends(
  desk: ScratchStore,
  shop: Shop,
  { credits, of }: Extract<Quiet, { kind: 'spend' }>,
): Promise<void> {
  const { customerId, entitlements, scope } = shop
  await adjustBalance(desk, {
    key: { ...scope, customerId, entitlementId: entitlements[of] },
    type: 'debit',
    amount: String(credits),
    reason: null,
    expiresAt: null,
    idempotencyKey: null,
    metadata: null,
  })
}

const charges = (
  desk: ScratchStore,
  { scope }: Shop,
  of: { readonly subscriptionId: string; readonly price: number },
) =>
  chargeSubscription(desk, scope, {
    ...of,
    currency: null,
    description: null,
    metadata: null,
    spendsWallet: true,
    idempotencyKey: null,
  })

const changes = (
  desk: ScratchStore,
  { products, scope }: Shop,
  { step, subscriptionId }: { readonly subscriptionId: string; readonly step: PlanChange },
) =>
  changePlan(desk, scope, {
    subscriptionId,
    productId: products[step.product],
    quantity: step.quantity,
    mode: step.mode === 'later' ? 'full_immediately' : step.mode,
    addons: [],
    discountCodes: null,
    waits: step.mode === 'later',
    replaces: false,
    onFailure: step.prevents ? 'prevent_change' : 'apply_change',
    metadata: null,
  })

async function fills(desk: ScratchStore, { customerId, scope }: Shop, amount: number) {
  const of = { currency: 'USD', isCredit: true, reason: null, idempotencyKey: null } as const
  const at = desk.clock.now()
  await adjustWallet(desk, { ...scope, customerId }, { at, adjustment: { ...of, amount } })
}
