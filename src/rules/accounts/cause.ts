import type { Instant } from '../../std/instant.ts'
import type { OverageBehavior } from '../commerce/catalog/credit-settings.ts'
import type { ProrationBehavior } from '../commerce/catalog/product.ts'
import type { Positions } from '../meter/place.ts'
import type { Early } from './early-end.ts'

/** Why an entry exists: what it refers to, and the rule with its inputs, for explanations. */
export interface Cause {
  readonly referenceType: string | null
  readonly referenceId: string | null
  readonly description: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** Null: no rule of these made the entry. */
  readonly inputs: CauseInputs | null
}

export const noCause: Cause = {
  referenceType: null,
  referenceId: null,
  description: null,
  metadata: {},
  inputs: null,
}

/** The rule that made an entry, and what it was given. Amounts are plain decimal text. */
export type CauseInputs =
  | UsageInputs
  | ManualInputs
  | PurchaseInputs
  | RefundInputs
  | IssueInputs
  | EndInputs
  | OverageInputs

/** What a cycle's usage of a meter was worth before an entry and with it. [meters#worth] */
export interface UsageInputs {
  readonly rule: 'usage_deducted' | 'usage_returned'
  readonly routeId: string
  readonly meterId: string
  readonly cycleAt: Instant
  readonly worthBefore: string
  readonly worthAfter: string
  readonly worthAtBase: string
  readonly droppedInCycle: string
  /** How far the log was measured, so that the events can be told. */
  readonly measured?: Positions
}

/** [resources#adjustments] */
export interface ManualInputs {
  readonly rule: 'manual_credit' | 'manual_debit'
  readonly amount: string
}

/** What a product brings that is bought once: for one of its quantity. [credits#grants] */
export interface PurchaseInputs {
  readonly rule: 'purchase_grant'
  readonly creditsAmount: string
  readonly quantity: number
}

/** What a refund of all of a payment takes back. [refunds#credits] */
export interface RefundInputs {
  readonly rule: 'payment_refunded'
  readonly refundId: string
}

/** What a subscription issues: for one of its quantity, and how many those are. [credits#grants] */
export type IssueInputs = Issuing & {
  readonly creditsAmount: string
  readonly quantity: number
}

/** Why a subscription issues credits. */
export type Issuing =
  | {
      readonly rule: 'cycle_grant'
      /** The end of a cycle that brings them; left out: the activation. */
      readonly endedAt?: Instant
    }
  | PlanChangeIssuing

/** [subscriptions#plan-changes] */
export interface PlanChangeIssuing {
  readonly rule: 'plan_change_grant'
  readonly inTrial: boolean
  readonly billingMode: string
  readonly previousProductId: string
  readonly paymentId: string | null
  /** These three where the cycle goes on; lengths in microseconds. */
  readonly prorationBehavior?: ProrationBehavior
  readonly cycleLeft?: number
  readonly cycle?: number
}

/** What the end of a cycle or of a grant does with the grant. [credits#cycle-end] */
export type EndInputs =
  | (EndRule & Early & { readonly endedAt: Instant })
  | { readonly rule: 'expiry' | 'last_cycle_end'; readonly grantId: string }

/** Which end of a subscription's cycle, or of one of its grants, it is. */
export type EndRule =
  | { readonly rule: 'cycle_end' }
  | { readonly rule: 'expiry'; readonly grantId: string }
  | {
      readonly rule: 'credit_rolled_over'
      readonly parentGrantId: string
      readonly percentage: number
      readonly unused: string
    }
  | { readonly rule: 'rollover_forfeited'; readonly rolloverCount: number }

/** [credits#overage] */
export type OverageInputs = Early &
  (
    | { readonly rule: 'overage_charged'; readonly overage: string }
    | { readonly rule: 'overage_reset'; readonly behavior: OverageBehavior }
    | {
        readonly rule: 'auto_repayment'
        readonly overage: string
        readonly grantId: string
        readonly endedAt: Instant
      }
  )

/** Inputs as the books hold them: an entry of an earlier release may lack some. */
export type RecordedInputs = Recorded<CauseInputs>

type Recorded<Inputs extends CauseInputs> = Inputs extends unknown
  ? Pick<Inputs, 'rule'> & Partial<Omit<Inputs, 'rule'>>
  : never

/** All names of inputs, of whichever rule. */
export type InputName = NameIn<CauseInputs>

type NameIn<Inputs> = Inputs extends unknown ? keyof Inputs : never
