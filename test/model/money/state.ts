import type { Charge, Said } from './fates.ts'
import type { PlanName, ProductName, World } from './program.ts'

/** All that the model knows: plain data, so that a race can be played in every order. */
export interface MoneyState {
  readonly world: World
  now: number
  readonly prices: Record<ProductName, number>
  readonly payments: ModelPayment[]
  readonly sessions: ModelSession[]
  readonly subscriptions: ModelSubscription[]
  readonly refunds: ModelRefund[]
  readonly disputes: ModelDispute[]
  readonly payouts: ModelPayout[]
  readonly licenses: ModelLicense[]
  readonly grants: ModelGrant[]
  /** Cards that were saved, in their order; null: it was forgotten. */
  readonly methods: (number | null)[]
  /** What is still to be heard. */
  news: ModelNews[]
  readonly ledger: [string, number][]
  /** What the customer's wallet holds. */
  wallet: number
  /** What the processor remembers, by payment. */
  readonly charges: Record<number, Charge>
  /** How many charges were asked for. */
  asked: number
  used: number
}

export type PaymentState =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_customer_action'
  | 'processing'
  | 'succeeded'
  | 'failed'
  | 'cancelled'

export interface ModelPayment {
  readonly number: number
  readonly created: number
  status: PaymentState
  readonly renews: boolean
  /** Whether its subscription was charged on demand. */
  readonly demanded: boolean
  /** Whether a plan change waits for it. */
  readonly changes: boolean
  readonly session: number | null
  /** The subscription that it pays, or has begun. */
  subscription: number | null
  product: ProductName
  quantity: number
  price: number
  net: number
  tax: number
  /** The part that the wallet pays; the rest is charged. */
  fromWallet: number
  /** Whether it holds a use of the code until it is settled. */
  holds: boolean
  code: boolean
  /** The card that is charged; null: none. */
  card: number | null
  /** The saved method that is charged; null: none. */
  method: number | null
  retry: number
  paidAt: number | null
  refund: 'partial' | 'full' | null
  dispute: string | null
}

export interface ModelSession {
  readonly product: ProductName
  readonly quantity: number
  readonly code: boolean
  readonly expires: number
  payment: number | null
  completed: boolean
}

/** What a subscription is moved to. */
export interface ModelPlan {
  readonly product: PlanName
  readonly quantity: number
  readonly price: number
}

export interface ModelSubscription {
  product: ProductName
  status: 'pending' | 'active' | 'on_hold' | 'paused' | 'cancelled' | 'failed' | 'expired'
  readonly payment: number | null
  quantity: number
  /** The price of one. */
  price: number
  /** How many more payments the code lowers. */
  codeFor: number
  /** Whether it has the code, also where that lowers no more payments. */
  hasCode: boolean
  readonly isOnDemand: boolean
  /** A change of the plan that keeps the cycle keeps the trial. */
  inTrial: boolean
  /** What is owed to the customer, and lowers what is charged next. */
  owed: number
  changing: { readonly payment: number; readonly plan: ModelPlan; readonly used: number } | null
  /** With the next cycle. */
  scheduled: ModelPlan | null
  method: number | null
  start: number
  next: number
  expires: number
  pausedAt: number | null
  endsWithCycle: boolean
  dues: ModelDues | null
  /** The charge on demand that is on its way; null: none is. */
  charging: number | null
}

export interface ModelDues {
  payment: number
  asked: boolean
  retries: number
  failedAt: number | null
  retryAt: number | null
  /** What asks is a plan change; null: the end of a cycle. */
  change: { readonly inTrial: boolean } | null
}

export interface ModelRefund {
  readonly payment: number
  status: 'pending' | 'succeeded' | 'failed'
  readonly amount: number
  readonly tax: number
  /** What of it went into the wallet. */
  toWallet: number
}

export interface ModelDispute {
  readonly payment: number
  status: string
  readonly amount: number
  readonly answerBy: number
  /** Given back at once. */
  readonly rapid: boolean
  /** Opened by the card, as soon as it has paid; else by the operator. */
  readonly byCard: boolean
}

export interface ModelPayout {
  status: 'not_initiated' | 'in_progress' | 'on_hold' | 'failed' | 'success'
  readonly amount: number
  readonly fee: number
}

export interface ModelLicense {
  readonly payment: number
  readonly subscription: number | null
  disabled: boolean
  places: number
}

export interface ModelGrant {
  readonly kind: 'tool' | 'plan'
  readonly payment: number | null
  readonly subscription: number | null
  remaining: number
  /** How often what is in it has rolled over. */
  readonly rolls: number
  /** Null: with the cycle of its subscription, or never. */
  ends: number | null
}

export interface ModelNews {
  readonly payment: number
  readonly due: number
  /** Null: the processor is asked. */
  readonly said: Said | null
}

export const emptyState = (world: World): MoneyState => ({
  world,
  now: 0,
  prices: { ...world.prices },
  payments: [],
  sessions: [],
  subscriptions: [],
  refunds: [],
  disputes: [],
  payouts: [],
  licenses: [],
  grants: [],
  methods: [],
  news: [],
  ledger: [],
  wallet: 0,
  charges: {},
  asked: 0,
  used: 0,
})

export const seconds = { minute: 60, hour: 3_600, day: 86_400 } as const

/** Half a cent is a cent. */
export const part = (amount: number, share: number, whole: number): number =>
  Math.floor((2 * amount * share + whole) / (2 * whole))

export function at<T>(all: readonly T[], index: number): T {
  const found = all[index]
  if (found === undefined) throw new Error(`There is no number ${index}.`)
  return found
}

/** What of a payment its processor charges. */
export const chargedOf = ({ fromWallet, net, tax }: ModelPayment): number => net + tax - fromWallet

export const isSettledState = (status: PaymentState): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled'

export const isDone = ({ status }: ModelSubscription): boolean =>
  status === 'cancelled' || status === 'expired' || status === 'failed'
