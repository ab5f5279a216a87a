/**
 * What a business and one of its customers do in a model program. Amounts are whole tenths of a
 * credit, usage is whole units, moments and lengths of time are whole seconds.
 */
export interface Program {
  readonly entitlement: Settings
  readonly defaults: Rates
  /** How each meter adds up its events. */
  readonly aggregations: Readonly<Record<MeterName, Aggregation>>
  readonly plans: readonly Plan[]
  readonly steps: readonly Step[]
}

export type MeterName = 'a' | 'b'
export type Aggregation = 'count' | 'sum' | 'max' | 'last'

export type Behavior =
  | 'forgive_at_reset'
  | 'invoice_at_billing'
  | 'carry_deficit'
  | 'carry_deficit_auto_repay'

/** An entitlement's settings. */
export interface Settings {
  readonly expiresAfterDays: number | null
  readonly rollover: boolean
  /** Null: all of it. */
  readonly percentage: number | null
  readonly timeframeDays: number | null
  readonly countMax: number | null
  readonly overage: boolean
  /** Whole credits; null: without limit. */
  readonly limit: number | null
  readonly behavior: Behavior
}

/** A null inherits the entitlement's setting. [resources#attached-credits] */
export type Overrides = { readonly [K in keyof Settings]: Settings[K] | null }

/** `perTenCredits`: the units that make ten credits. */
export interface Rate {
  readonly perTenCredits: number
  readonly free: number
}

/** Null: the meter is not linked to the credits. */
export type Rates = Readonly<Record<MeterName, Rate | null>>

export interface Plan {
  readonly cycle: { readonly count: number; readonly interval: 'Day' | 'Month' }
  readonly periodDays: number
  /** Null: the plan does not attach the credits. */
  readonly credits: PlanCredits | null
  readonly rates: Rates
}

/** A plan's overrides that inherit every setting. */
export const nothingOverridden: Overrides = {
  expiresAfterDays: null,
  rollover: null,
  percentage: null,
  timeframeDays: null,
  countMax: null,
  overage: null,
  limit: null,
  behavior: null,
}

export interface PlanCredits {
  readonly amount: number
  readonly trialAmount: number | null
  readonly trialExpires: boolean
  readonly prorates: boolean
  readonly overrides: Overrides
}

/** `which` goes round the subscriptions that live. */
export type Step = Use | Call | Flow

/**
 * Sends an event, which then waits to be measured. Its timestamp is `lead` seconds ahead of its
 * receipt; one that is more than an hour behind is sent by a key that may backfill.
 */
export interface Use {
  readonly kind: 'use'
  readonly meter: MeterName
  readonly quantity: number
  readonly lead: number
}

/** A call of the API. */
export type Call =
  | { readonly kind: 'credit'; readonly amount: number; readonly days: number | null }
  | { readonly kind: 'debit'; readonly amount: number }
  | { readonly kind: 'subscribe'; readonly plan: number; readonly trialDays: number }
  | {
      readonly kind: 'replan'
      readonly which: number
      readonly plan: number
      readonly mode: PlanMode
    }
  | {
      readonly kind: 'unschedule' | 'pause' | 'resume' | 'cancel' | 'cancelAtEnd'
      readonly which: number
    }
  /** Moves the billing date by `days`; with 0, to the end of another subscription's cycle. */
  | { readonly kind: 'redate'; readonly which: number; readonly days: number }
  | { readonly kind: 'recart'; readonly which: number; readonly patch: CartChange }
  | { readonly kind: 'reterm'; readonly settings: Settings }
  | { readonly kind: 'relink'; readonly rates: Rates }

export type PlanMode = 'full_immediately' | 'do_not_bill' | 'at_the_end'

/**
 * What is left out stays as it is; null goes back to what the subscription was bought with.
 * [requests#nulls]
 */
export interface CartChange {
  readonly amount?: number | null
  readonly limit?: number | null
  readonly overage?: boolean | null
  readonly rollover?: boolean | null
  readonly percentage?: number | null
  readonly countMax?: number | null
}

export type Flow =
  /** Measures everything that waits as one batch, in reverse order where `reversed` says so. */
  | { readonly kind: 'measure'; readonly reversed: boolean }
  /** Voids a measured event. */
  | { readonly kind: 'void'; readonly which: number }
  /** Moves the clock on; what falls due waits for the next sweep. */
  | { readonly kind: 'later'; readonly seconds: number }
  /**
   * Moves the clock to so many seconds after the next boundary, or before it where they are
   * negative.
   */
  | { readonly kind: 'toBoundary'; readonly seconds: number }
  /** Measures what waits, and applies what is due. */
  | { readonly kind: 'sweep' }
  | { readonly kind: 'settle' }
  /**
   * Calls at the same time, each from a process of its own: each is decided before any is
   * committed, and they are committed one after the other in the order numbered `order`. The result
   * must be that of any one order.
   */
  | {
      readonly kind: 'race'
      readonly calls: readonly Call[]
      readonly order: number
      /** Before so many are committed the test clock moves on, and all that falls due happens. */
      readonly move: { readonly after: number; readonly seconds: number } | null
    }

/** What a customer is charged by: an entitlement's settings, as overridden, with one amount. */
export interface Terms extends Settings {
  readonly amount: number
  /** In tenths of a credit, since a cart's limit may have decimals. */
  readonly limit: number | null
}
