import { licenseStatus } from './model.ts'
import type { MoneyState } from './state.ts'

/** What can be seen of the world from outside, of the model as of the real one. */
export interface Seen {
  readonly payments: readonly SeenPayment[]
  readonly subscriptions: readonly SeenSubscription[]
  /** Sorted, since what was made at the same moment has no order. */
  readonly refunds: readonly string[]
  readonly disputes: readonly string[]
  readonly payouts: readonly string[]
  readonly licenses: readonly string[]
  readonly ledger: readonly (readonly [string, number])[]
  /** What the customer's wallet holds. */
  readonly wallet: number
  /** What is left in grants, and how often it has rolled, in the order in which they are used. */
  readonly credits: { readonly tool: readonly string[]; readonly plan: readonly string[] }
  readonly code: { readonly used: number; readonly held: number }
  /** Of each session, in their order, whether it is completed. */
  readonly sessions: readonly boolean[]
  /** How many saved methods there are. */
  readonly methods: number
}

export interface SeenPayment {
  readonly status: string
  readonly renews: boolean
  readonly total: number
  readonly tax: number
  readonly retry: number
  readonly refund: string | null
  readonly dispute: string | null
  readonly paidAt: number | null
}

export interface SeenSubscription {
  readonly status: string
  /** Null: it has not begun. */
  readonly start: number | null
  readonly next: number | null
  readonly expires: number | null
  readonly owes: boolean
  /** Whether it is to end with its cycle. */
  readonly ends: boolean
  /** Whether a charge on demand is on its way. */
  readonly charging: boolean
  readonly retryAt: number | null
}

export function seenOf(state: MoneyState): Seen {
  const held = state.payments.filter(({ code, holds }) => code && holds)
  const credits = (kind: 'tool' | 'plan') =>
    state.grants
      .filter((grant) => grant.kind === kind && grant.remaining > 0)
      .map(({ remaining, rolls }) => `${remaining} ${rolls}`)
  return {
    payments: state.payments.map((payment) => ({
      status: payment.status,
      renews: payment.renews,
      total: payment.net + payment.tax,
      tax: payment.tax,
      retry: payment.retry,
      refund: payment.refund,
      dispute: payment.dispute,
      paidAt: payment.paidAt,
    })),
    subscriptions: state.subscriptions.map(subscriptionSeen),
    refunds: state.refunds
      .map(({ amount, payment, status, tax }) => `${payment} ${status} ${amount} ${tax}`)
      .toSorted(),
    disputes: state.disputes
      .map(({ amount, payment, status }) => `${payment} ${status} ${amount}`)
      .toSorted(),
    payouts: state.payouts
      .map(({ amount, fee, status }) => `${status} ${amount} ${fee}`)
      .toSorted(),
    licenses: state.licenses
      .map((each) => `${each.payment} ${licenseStatus(state, each)} ${each.places}`)
      .toSorted(),
    ledger: state.ledger,
    wallet: state.wallet,
    credits: { tool: credits('tool'), plan: credits('plan') },
    code: { used: state.used, held: held.length },
    sessions: state.sessions.map(({ completed }) => completed),
    methods: state.methods.filter((card) => card !== null).length,
  }
}

function subscriptionSeen(of: MoneyState['subscriptions'][number]): SeenSubscription {
  const { dues, expires, next, start, status } = of
  const hasBegun = status !== 'pending' && status !== 'failed'
  const isLive = status === 'active' || status === 'on_hold' || status === 'paused'
  return {
    status,
    start: hasBegun ? start : null,
    next: isLive ? next : null,
    expires: isLive ? expires : null,
    owes: isLive && dues !== null,
    ends: isLive && of.endsWithCycle,
    charging: isLive && of.charging !== null,
    retryAt: isLive ? (dues?.retryAt ?? null) : null,
  }
}
