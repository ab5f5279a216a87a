import type { Owner } from '../../rules/archive/line.ts'
import type { Fold } from '../../rules/meter/fold.ts'
import type { AggregationType } from '../../rules/meter/meter.ts'
import type { Stretch } from '../../rules/meter/route.ts'
import type { UsageDelta, UsageKey } from '../../rules/meter/usage-delta.ts'
import type { MeasuredUnder } from '../../rules/meter/void.ts'
import type { Duration, Instant } from '../../std/instant.ts'

/** Names a measured event for good: an id that is used again comes with another timestamp. */
export interface EventName {
  readonly eventId: string
  readonly timestamp: Instant
}

/** A void: this event no longer counts, and why. */
export interface Void {
  readonly reason: string
  /** The business's time. */
  readonly at: Instant
  /** True while max and last, which are folded hour by hour, still hold the event. */
  readonly pending: boolean
}

export interface NewVoid extends EventName {
  readonly customerId: string
  readonly reason: string
  readonly at: Instant
  /**
   * The business's clock under which the void was decided. [subscriptions#the-time-of-a-command]
   */
  readonly clockAhead: Duration
  /** Log time. */
  readonly receivedAt: Instant
  /** What the event was measured into: one delta per row of usage, for this event alone. */
  readonly usage: readonly UsageDelta[]
}

/** The versions under which an event was measured, as batches and archive keep them. */
export interface MeasuredVersions {
  readonly catalog: number
  /** The mark of its customer's routes (rules/meter/route-mark.ts); 0: no routes. */
  readonly routeMark: number
}

/** The events of one business, customer and name. */
export interface UsageSource extends Owner {
  readonly customerId: string
  readonly eventName: string
}

/** A row of usage that still holds voided events. */
export interface DueFold extends UsageKey {
  /** How often folding it was tried before. */
  readonly tries: number
}

/** A row of usage and all voided events of it, at one moment. */
export interface FoldState {
  readonly aggregation: AggregationType
  readonly eventName: string
  /** How many events the row holds, those of `pending` among them. */
  readonly events: number
  /** Events that are voided but still in the row. */
  readonly pending: readonly EventName[]
  /** Keys (`eventNameText`) of all voided events of the customer in the row's hour. */
  readonly voided: ReadonlySet<string>
}

/**
 * `known`: it was voided before; `sealed`: a row of its usage is no longer there; `moved`: the
 * clock has moved since. In these three cases nothing was changed.
 */
export type VoidOutcome = 'voided' | 'known' | 'sealed' | 'moved'

/**
 * Takes events back out of usage. Measuring and this part are the only writers of `usage`.
 * [machines#writers]
 */
export interface Voids {
  /** Those of the events that are voided, by `eventNameText`. */
  find(owner: Owner, events: readonly EventName[]): Promise<ReadonlyMap<string, Void>>

  /** All voids of a customer, by `eventNameText`. */
  ofCustomer(owner: Owner, customerId: string): Promise<ReadonlyMap<string, Void>>

  /** What measuring worked from at these versions. */
  under(source: UsageSource, versions: MeasuredVersions): Promise<MeasuredUnder>

  /** Every stretch that routes ever had; a route that does not exist has none. */
  stretches(
    owner: Owner,
    routeIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Stretch[]>>

  /** Takes an event out of usage in one transaction: all of it, or nothing. */
  record(owner: Owner, voiding: NewVoid): Promise<VoidOutcome>

  /**
   * Rows that are to be folded again, each for one caller. A row that fails comes back, later each
   * time.
   */
  due(max: number): Promise<readonly DueFold[]>

  /**
   * Whether a void of the business is pending that is to be folded in a moment. A row that was
   * tried for minutes waits for more, such as the end of its hour: it does not count here.
   */
  areFolding(owner: Owner): Promise<boolean>

  /** Null: the row is no longer there, or nothing of it is pending. */
  state(key: UsageKey): Promise<FoldState | null>

  /**
   * Replaces the row by a fold without the pending events. False, and nothing changes, when the row
   * is no longer what `state` said.
   */
  foldAgain(key: UsageKey, state: FoldState, fold: Fold): Promise<boolean>
}

/** The key of an event in maps and sets. */
export const eventNameText = ({ eventId, timestamp }: EventName): string =>
  `${timestamp} ${eventId}`
