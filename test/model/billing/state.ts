import type { Aggregation, MeterName, Plan, Rates, Settings, Terms } from './program.ts'

/** Everything that the model knows, as plain data: copied where several orders are tried. */
export interface ModelState {
  now: number
  readonly plans: readonly Plan[]
  readonly aggregations: Readonly<Record<MeterName, Aggregation>>
  entitlement: Settings
  /** Of the entitlement itself, through time. */
  defaults: TermsFrom[]
  subscriptions: ModelSubscription[]
  /** Accepted, not measured. */
  waiting: ModelEvent[]
  /** Measured and not voided. */
  measured: CountedEvent[]
  events: number
  /** After the last command or boundary. */
  base: ModelBooks
  /** What the usage of each meter, route and cycle was worth then. */
  worthAtBase: Record<string, number>
  /** The calendar month that the account is in by itself; null: there is no account. */
  month: number | null
  /** When a command changed the account last; 0 before the first. */
  accountAt: number
  /** What the call that is under way changes, if it is let in: a subscription by its number. */
  touched: { readonly account: boolean; readonly subscription: number | null }
  /** Of each call: whether it was let in. */
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

/** Where measuring put an event: a subscription by its number, or the default links. */
export interface CountedEvent extends ModelEvent {
  readonly route: number | 'defaults'
  readonly cycle: number
  readonly segment: number
}

export interface ModelGrant {
  readonly name: number
  readonly source: 'api' | 'subscription' | 'rollover'
  /** The subscription that issued it, or whose rollover made it. */
  readonly of: number | null
  readonly parent: number | null
  readonly count: number
  readonly initial: number
  /** The start of the cycle that it ends with. */
  cycle: number | null
  /** Ends where the open cycle of its subscription ends, wherever that is moved to. */
  readonly endsWithCycle: boolean
  /** Credits of a trial that end with it. */
  readonly endsWithTrial?: boolean
  endsAt: number | null
  readonly createdAt: number
  remaining: number
  /** What usage took of it, less what was given back. */
  drawn: number
}

/** What I4 adds up, since the beginning. */
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
  /** In consumption order, without those that have ended. */
  grants: ModelGrant[]
  made: number
  overage: number
  dropped: number
  unreturned: number
  totals: Totals
}

export interface ModelSubscription {
  readonly number: number
  /** When a command changed it last. */
  changedAt: number
  status: 'active' | 'paused' | 'cancelled' | 'expired'
  plan: Plan
  terms: Terms | null
  /** What holds where the cart overrides nothing. [requests#nulls] */
  bought: Terms | null
  /** Of credits that the plan no longer carries: their grants end with the open cycle. */
  leaving: Terms | null
  scheduled: { readonly plan: Plan; readonly terms: Terms | null } | null
  cancelsAtEnd: boolean
  readonly activatedAt: number
  readonly hasTrial: boolean
  ended: number | null
  pauses: { from: number; to: number | null }[]
  pausedAt: number | null
  /** Of the open cycle. */
  start: number
  end: number
  periodEnd: number
  /** The cycles before the open one, and where its own links changed. */
  closed: { readonly start: number; readonly end: number }[]
  rates: TermsFrom[]
  /** How the cycles after the open one are counted. */
  counting: { readonly anchor: number; readonly cycle: Plan['cycle'] }
}
