import type { Fate } from './fates.ts'

/**
 * What a business, one of its customers and their banks do about money in a model program. Amounts
 * are cents, moments and lengths of time are whole seconds.
 */
export interface Program {
  readonly world: World
  readonly steps: readonly Step[]
  /** What becomes of charges, in the order in which they are asked for, round and round. */
  readonly fates: readonly Fate[]
}

/**
 * A thing that is bought once, and four plans: of 30 days, with a trial, one that expires, and one
 * that begins with a mandate alone and is charged on demand.
 */
export type ProductName = 'tool' | 'plan' | 'trial' | 'brief' | 'demand'

export interface World {
  readonly prices: Readonly<Record<ProductName, number>>
  /** What the one code takes off, and how often it can be used; null: always. */
  readonly code: { readonly percent: number; readonly limit: number | null }
  readonly taxed: boolean
  readonly fees: boolean
  /** Whether refunds are done at once, or wait until somebody says what became of them. */
  readonly refundsAtOnce: boolean
  /** Whether disputes of up to 5.00 are given back at once. */
  readonly rapid: boolean
  readonly rollover: {
    /** Days for which what has rolled over lasts; null: a cycle. */
    readonly days: number | null
    /** By plan; null: what is left of its credits ends with the cycle. */
    readonly terms: Readonly<Record<Exclude<ProductName, 'tool'>, RolloverTerms | null>>
  }
}

export interface RolloverTerms {
  readonly percent: number
  /** How often the same credits roll; null: always again. */
  readonly most: number | null
}

/** `which` things are counted from 0, in the order in which they were made, round and round. */
export type Step = Call | { readonly kind: 'later'; readonly seconds: number } | Race

/** Those that a subscription can be moved to. */
export type PlanName = 'plan' | 'trial' | 'brief'

export type Call = Charging | Quiet

/** What asks the processor for a charge. */
export type Charging =
  /** A checkout session, and the first try to pay it. */
  | (Bought & { readonly kind: 'buy'; readonly card: number })
  /** The older way: a payment that waits, or that charges a saved method at once. */
  | (Bought & { readonly kind: 'open'; readonly method: number | null })
  | { readonly kind: 'pay'; readonly session: number; readonly card: number }
  | { readonly kind: 'method'; readonly subscription: number; readonly method: number }
  /** Charges a subscription on demand. */
  | { readonly kind: 'charge'; readonly subscription: number; readonly cents: number }
  | PlanChange

/** Another plan, at once and charged by a mode, or with the next cycle. */
export interface PlanChange {
  readonly kind: 'change'
  readonly subscription: number
  readonly product: PlanName
  readonly quantity: number
  readonly mode:
    | 'prorated_immediately'
    | 'difference_immediately'
    | 'full_immediately'
    | 'do_not_bill'
    | 'later'
  /** Whether a failed payment leaves the plan as it was; else it is owed. */
  readonly prevents: boolean
}

interface Bought {
  readonly product: ProductName
  readonly quantity: number
  readonly code: boolean
}

/** What asks for no charge, so that in a race the order of charges stays. */
export type Quiet =
  | { readonly kind: 'confirm'; readonly session: number; readonly passed: boolean }
  | { readonly kind: 'refund'; readonly payment: number; readonly part: RefundPart | null }
  | { readonly kind: 'settle'; readonly refund: number; readonly succeeded: boolean }
  | { readonly kind: 'dispute'; readonly payment: number; readonly amount: number | null }
  | { readonly kind: 'move'; readonly dispute: number; readonly to: DisputeMove }
  | { readonly kind: 'payout' }
  | { readonly kind: 'mark'; readonly payout: number; readonly to: PayoutMove }
  | { readonly kind: 'activate' | 'deactivate'; readonly license: number }
  | { readonly kind: 'pause' | 'resume' | 'cancel'; readonly subscription: number }
  | { readonly kind: 'atEnd'; readonly subscription: number; readonly ends: boolean }
  | { readonly kind: 'unschedule'; readonly subscription: number }
  | { readonly kind: 'forget'; readonly method: number }
  | { readonly kind: 'spend'; readonly of: 'tool' | 'plan'; readonly credits: number }
  /** The seller puts so much into the customer's wallet. */
  | { readonly kind: 'fill'; readonly cents: number }
  | { readonly kind: 'reprice'; readonly product: ProductName; readonly price: number }

export interface RefundPart {
  /** Null: all that is left of the line. */
  readonly amount: number | null
  readonly inclusive: boolean
}

export type PayoutMove = 'in_progress' | 'on_hold' | 'failed' | 'success'

export type DisputeMove = 'challenged' | 'accepted' | 'cancelled' | 'won' | 'lost'

/** Calls at the same moment; what comes of them is what comes of some order. */
export interface Race {
  readonly kind: 'race'
  readonly calls: readonly Quiet[]
}
