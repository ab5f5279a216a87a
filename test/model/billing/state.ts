import type { Aggregation, MeterName, Plan, Rates, Settings, Terms } from './program.ts'

/**
 * Everything that the model knows, as plain data, which is copied where it tries several orders.
 */
export interface ModelState {
  now: number
  readonly plans: readonly Plan[]
  readonly aggregations: Readonly<Record<MeterName, Aggregation>>
  entitlement: Settings
  /** The entitlement's own terms, each from some moment on. */
  defaults: TermsFrom[]
  subscriptions: ModelSubscription[]
  /** Received, and not measured yet. */
  waiting: ModelEvent[]
  /** Measured, and not voided. */
  measured: CountedEvent[]
  events: number
  /** The books after the last command or boundary. */
  base: ModelBooks
  /** What the usage of each meter, route and cycle was worth at that base. */
  worthAtBase: Record<string, number>
  /** The calendar month that the account itself is in; null: there is no account. */
  month: number | null
  /** When a command last changed the account; 0 before the first. */
  accountAt: number
  /** What the present call would change: the account, and a subscription by its number. */
  touched: { readonly account: boolean; readonly subscription: number | null }
  /** For each call, whether it was let in. */
  answers: string[]
}

export interface TermsFrom {
  readonly from: number
  readonly rates: Rates
}

export interface ModelEvent {
  readonly id: number
  readonly meter: MeterName
  readonly quantity: number
  readonly timestamp: number
  readonly received: number
}

/**
 * An event and where measuring put it: to a subscription by its number, or to the default links.
 */
export interface CountedEvent extends ModelEvent {
  readonly route: number | 'defaults'
  readonly cycle: number
  readonly segment: number
}

export interface ModelGrant {
  readonly name: number
  readonly source: 'api' | 'subscription' | 'rollover'
  /** The number of the subscription that issued it, or whose credits were rolled over into it. */
  readonly of: number | null
  readonly parent: number | null
  readonly count: number
  readonly initial: number
  /** The start of the cycle that it ends with. */
  cycle: number | null
  /** Whether it ends with the open cycle of its subscription, wherever that end is moved. */
  readonly endsWithCycle: boolean
  /** Whether it was issued for a trial and ends with it. */
  readonly endsWithTrial?: boolean
  endsAt: number | null
  readonly createdAt: number
  remaining: number
  /** How much of it usage has taken, less what was given back. */
  drawn: number
}

/** What came in and what became of it, since the beginning. [guarantees#books-that-add-up] */
export interface Totals {
  granted: number
  rolled: number
  consumed: number
  incurred: number
  droppedBefore: number
  unreturnedBefore: number
  debited: number
  repaid: number
  billed: number
  forgiven: number
  expired: number
  forfeited: number
}

export interface ModelBooks {
  /** In the order of consumption, without those that have ended. */
  grants: ModelGrant[]
  made: number
  overage: number
  dropped: number
  unreturned: number
  totals: Totals
}

export interface ModelSubscription {
  readonly number: number
  /** When a command last changed it. */
  changedAt: number
  status: 'active' | 'paused' | 'cancelled' | 'expired'
  plan: Plan
  terms: Terms | null
  /** The terms that hold where the cart overrides nothing. [requests#nulls] */
  bought: Terms | null
  /**
   * The terms of credits that the plan no longer attaches: their grants end with the open cycle.
   */
  leaving: Terms | null
  scheduled: { readonly plan: Plan; readonly terms: Terms | null } | null
  cancelsAtEnd: boolean
  readonly activatedAt: number
  readonly hasTrial: boolean
  ended: number | null
  pauses: { from: number; to: number | null }[]
  pausedAt: number | null
  /** Where the open cycle starts. */
  start: number
  end: number
  periodEnd: number
  /** The cycles before the open one, and where their links changed. */
  closed: { readonly start: number; readonly end: number }[]
  rates: TermsFrom[]
  /** How the cycles after the open one are counted. */
  counting: { readonly anchor: number; readonly cycle: Plan['cycle'] }
}
