import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Account } from '../../../src/rules/accounts/account.ts'
import { licenseKeyStatus } from '../../../src/rules/commerce/licenses/license-key.ts'
import type { Payment } from '../../../src/rules/commerce/payments/payment.ts'
import type { Subscription } from '../../../src/rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { second } from '../../../src/std/instant.ts'
import type { Seen, SeenPayment, SeenSubscription } from '../../model/money/seen.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { january } from '../store/scratch-store.ts'
import type { Named } from './calls.ts'
import { cardOf } from './calls.ts'
import type { Shop } from './shop.ts'

/** Everything of a business, and what of it a call may name. */
export interface Looked {
  readonly seen: Seen
  readonly named: Named
  /** The lines of `seen`, with whose they are, in the order of making. */
  readonly refunds: readonly Line[]
  readonly disputes: readonly Line[]
  readonly payouts: readonly Line[]
  /** What the business has earned, as its ledger ends. */
  readonly balance: number
}

interface Line {
  readonly id: string
  readonly line: string
}

const page = { limit: 1_000, offset: 0 }
const any = { customerId: null, status: null, createdFrom: null, createdTo: null }

export async function look(
  desk: ScratchStore,
  shop: Shop,
  { at, sessions }: { readonly at: Instant; readonly sessions: readonly string[] },
): Promise<Looked> {
  const { scope } = shop
  const anyOf = { ...any, brandId: null, productId: null }
  const [payments, subscriptions, refunds, disputes, licenses, entries, payouts] =
    await Promise.all([
      desk.payments.list(
        scope,
        { ...anyOf, subscriptionId: null, currency: null, disputeStatus: null },
        page,
      ),
      desk.subscriptions.list(scope, { ...anyOf, cancelling: null }, page),
      desk.refunds.list(scope, { ...any, subscriptionId: null }, page),
      desk.disputes.list(scope, { ...any, stage: null }, page),
      desk.licenseKeys.list(scope, { ...any, productId: null, source: null, at }, page),
      desk.balances.entries(
        scope,
        { currency: null, eventType: null, referenceId: null, createdFrom: null, createdTo: null },
        page,
      ),
      desk.payouts.list(scope, { createdFrom: null, createdTo: null }, page),
    ])
  const ids = payments.map(({ paymentId }) => paymentId).toReversed()
  const of = (paymentId: string | null) => ids.indexOf(paymentId ?? '')
  const refunded = refunds.toReversed().map((each) => ({
    id: each.refundId,
    line: `${of(each.paymentId)} ${each.status} ${each.amount} ${each.tax}`,
  }))
  const disputed = disputes.toReversed().map((each) => ({
    id: each.disputeId,
    line: `${of(each.paymentId)} ${each.status} ${each.amount}`,
  }))
  const paidOut = payouts.toReversed().map((each) => ({
    id: each.payoutId,
    line: `${each.status} ${each.amount} ${each.fee}`,
  }))
  const keys = licenses.map(
    (each) => `${of(each.paymentId)} ${licenseKeyStatus(each, at)} ${each.instancesCount}`,
  )
  const rest = await lookAtTheRest(desk, shop, sessions)
  const products = (payment: Payment) => payment.products[0]?.productId ?? ''
  return {
    refunds: refunded,
    disputes: disputed,
    payouts: paidOut,
    balance: entries[0]?.balanceAfter ?? 0,
    seen: {
      payments: payments.toReversed().map(paymentSeen),
      subscriptions: subscriptions.toReversed().map(subscriptionSeen),
      refunds: refunded.map(({ line }) => line).toSorted(),
      disputes: disputed.map(({ line }) => line).toSorted(),
      payouts: paidOut.map(({ line }) => line).toSorted(),
      licenses: keys.toSorted(),
      ledger: entries.toReversed().map(({ amount, eventType }) => [eventType, amount] as const),
      ...rest.seen,
    },
    named: {
      payments: payments
        .toReversed()
        .map((each) => ({ paymentId: each.paymentId, productId: products(each) })),
      sessions: rest.sessions,
      subscriptions: subscriptions.toReversed().map(({ subscriptionId }) => subscriptionId),
      refunds: refunded.map(({ id }) => id),
      disputes: disputed.map(({ id }) => id),
      payouts: paidOut.map(({ id }) => id),
      licenses: licenses.toReversed(),
      methods: rest.methods,
    },
  }
}

async function lookAtTheRest(desk: ScratchStore, shop: Shop, made: readonly string[]) {
  const { customerId, discountId, entitlements, scope } = shop
  const [wallets, discount, methods, views, sessions] = await Promise.all([
    desk.wallets.list({ ...scope, customerId }),
    desk.discounts.get(scope, discountId),
    desk.paymentMethods.ofCustomer(scope, customerId),
    desk.accounts.load([
      { ...scope, customerId, entitlementId: entitlements.tool },
      { ...scope, customerId, entitlementId: entitlements.plan },
    ]),
    desk.db.query<{ session_id: string; completed: boolean }>(sql`
      select session_id, completed_at is not null as completed from checkout_sessions
      where session_id = any(${made})`),
  ])
  const [tool = [], plan = []] = views.map(({ stored }) =>
    stored === null ? [] : left(stored.account),
  )
  const completed = new Map(sessions.map((each) => [each.session_id, each.completed]))
  // One that was lost on the way to the store is not there.
  const there = made.filter((sessionId) => completed.has(sessionId))
  return {
    sessions: there,
    methods: methods.toReversed(),
    seen: {
      wallet: wallets[0]?.balance ?? 0,
      credits: { tool, plan },
      code: { used: discount?.timesUsed ?? 0, held: discount?.held ?? 0 },
      sessions: there.map((sessionId) => completed.get(sessionId) === true),
      methods: methods.filter(({ deletedAt }) => deletedAt === null).length,
    },
  }
}

const left = ({ grants, state }: Account): readonly string[] =>
  grants.flatMap(({ rolloverCount }, index) => {
    const remaining = state.holdings[index]?.remaining ?? 0n
    return remaining > 0n ? [`${remaining} ${rolloverCount}`] : []
  })

const inSeconds = (at: Instant | null): number | null =>
  at === null ? null : (at - january) / second

const paymentSeen = (payment: Payment): SeenPayment => ({
  status: payment.status,
  renews: payment.purpose === 'renewal',
  total: payment.totalAmount,
  tax: payment.tax,
  retry: payment.retryAttempt,
  refund: payment.refundStatus,
  dispute: payment.disputeStatus,
  paidAt: inSeconds(payment.paidAt),
})

function subscriptionSeen(of: Subscription): SeenSubscription {
  const { dues, expiresAt, nextBillingDate, previousBillingDate, status } = of
  const hasBegun = status !== 'pending' && status !== 'failed'
  const isLive = status === 'active' || status === 'on_hold' || status === 'paused'
  return {
    status,
    start: hasBegun ? inSeconds(previousBillingDate) : null,
    next: isLive ? inSeconds(nextBillingDate) : null,
    expires: isLive ? inSeconds(expiresAt) : null,
    owes: isLive && dues !== null,
    ends: isLive && of.cancellation.scheduled,
    charging: isLive && of.charging !== null,
    retryAt: isLive ? inSeconds(dues?.retryAt ?? null) : null,
  }
}

/** The saved methods in the order in which they were first saved, also those that are gone. */
export const inOrderOfSaving = (
  known: readonly Named['methods'][number][],
  now: readonly Named['methods'][number][],
): Named['methods'] => {
  const added = now.filter(
    (method) => !known.some(({ paymentMethodId }) => paymentMethodId === method.paymentMethodId),
  )
  return [...known, ...added.toSorted((a, b) => a.createdAt - b.createdAt || cardOf(a) - cardOf(b))]
}
