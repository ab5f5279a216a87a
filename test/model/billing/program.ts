/**
 * What a business and one of its customers do in a model program. Amounts are whole tenths of a
 * credit, usage is whole units, moments and lengths of time are whole seconds.
 */
export interface Program {
  readonly entitlement: Settings
  readonly defaults: Rates
  /** How the meters a and b add up. */
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

/** What an entitlement says of its credits. */
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

/** A null inherits. [resources#attached-credits] */
export type Overrides = { readonly [K in keyof Settings]: Settings[K] | null }

/** `perTenCredits`: the units that make ten credits. */
export interface Rate {
  readonly perTenCredits: number
  readonly free: number
}

/** Null: the meter is not tied to the credits. */
export type Rates = Readonly<Record<MeterName, Rate | null>>

export interface Plan {
  readonly cycle: { readonly count: number; readonly interval: 'Day' | 'Month' }
  readonly periodDays: number
  /** Null: the plan has nothing to do with the credits. */
  readonly credits: PlanCredits | null
  readonly rates: Rates
}

/** A plan's credits that leave every setting to the entitlement. */
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

/** `which` counts round the subscriptions that are not over. */
export type Step = Use | Call | Flow

/** An event that is accepted: it waits to be measured. `lead` seconds ahead of its acceptance. */
export interface Use {
  readonly kind: 'use'
  readonly meter: MeterName
  readonly quantity: number
  readonly lead: number
}

/** What comes in through the API. */
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
  /** `days` later, or (0) to the end of another's cycle. */
  | { readonly kind: 'redate'; readonly which: number; readonly days: number }
  | { readonly kind: 'recart'; readonly which: number; readonly patch: CartChange }
  | { readonly kind: 'reterm'; readonly settings: Settings }
  | { readonly kind: 'relink'; readonly rates: Rates }

export type PlanMode = 'full_immediately' | 'do_not_bill' | 'at_the_end'

/** What is left out stays; null is what the subscription was bought with. [requests#nulls] */
export interface CartChange {
  readonly amount?: number | null
  readonly limit?: number | null
  readonly overage?: boolean | null
  readonly rollover?: boolean | null
  readonly percentage?: number | null
  readonly countMax?: number | null
}

export type Flow =
  /** Everything that waits, in one batch, the other way round if it says so. */
  | { readonly kind: 'measure'; readonly reversed: boolean }
  /** Takes a measured event back. */
  | { readonly kind: 'void'; readonly which: number }
  /** The clock moves on; what falls due meanwhile waits for the next sweep. */
  | { readonly kind: 'later'; readonly seconds: number }
  /** To `seconds` after the next boundary, or before it. */
  | { readonly kind: 'toBoundary'; readonly seconds: number }
  /** Measures what waits, and applies what is due. */
  | { readonly kind: 'sweep' }
  | { readonly kind: 'settle' }
  /**
   * All at the same time, by as many processes: each is decided before any is committed, then they
   * are committed one after the other, the `order`th way. Any order will do, as long as it is one.
   */
  | {
      readonly kind: 'race'
      readonly calls: readonly Call[]
      readonly order: number
      /** The test clock moves on before so many are committed, and all that falls due happens. */
      readonly move: { readonly after: number; readonly seconds: number } | null
    }

/** What a customer is charged under: an entitlement's settings, overridden, for one amount. */
export interface Terms extends Settings {
  readonly amount: number
  /** Tenths of a credit: a cart's limit may have decimals. */
  readonly limit: number | null
}
