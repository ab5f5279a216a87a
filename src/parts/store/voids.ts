import type { Owner } from '../../rules/archive/line.ts'
import type { Fold } from '../../rules/meter/fold.ts'
import type { AggregationType } from '../../rules/meter/meter.ts'
import type { Stretch } from '../../rules/meter/route.ts'
import type { UsageDelta, UsageKey } from '../../rules/meter/usage-delta.ts'
import type { MeasuredUnder } from '../../rules/meter/void.ts'
import type { Duration, Instant } from '../../std/instant.ts'

/** Names a measured event for ever: an id that is used again has another timestamp. */
export interface EventName {
  readonly eventId: string
  readonly timestamp: Instant
}

/** That an event counts no more, and why. */
export interface Void {
  readonly reason: string
  /** The business's time. */
  readonly at: Instant
  /** Max and last, folded an hour at a time, still hold it. */
  readonly pending: boolean
}

export interface NewVoid extends EventName {
  readonly customerId: string
  readonly reason: string
  readonly at: Instant
  /** The business's clock that it was decided under. [subscriptions#the-time-of-a-command] */
  readonly clockAhead: Duration
  /** Log time. */
  readonly receivedAt: Instant
  /** What it was measured into: one delta a row, of this event alone. */
  readonly usage: readonly UsageDelta[]
}

/** The versions that an event was measured under, as batches and archive have them. */
export interface MeasuredVersions {
  readonly catalog: number
  /** Of its customer's routes (rules/meter/route-mark.ts); 0: without any. */
  readonly routeMark: number
}

/** Whose events of which name. */
export interface UsageSource extends Owner {
  readonly customerId: string
  readonly eventName: string
}

/** A row of usage that still holds voided events. */
export interface DueFold extends UsageKey {
  /** How often it was tried before. */
  readonly tries: number
}

/** A row of usage and everything voided of it, all of one moment. */
export interface FoldState {
  readonly aggregation: AggregationType
  readonly eventName: string
  /** How many events the row holds, those of `pending` among them. */
  readonly events: number
  /** Voided, and still in the row. */
  readonly pending: readonly EventName[]
  /** Keys (`keyOf`) of all voided events of the customer in the row's hour. */
  readonly voided: ReadonlySet<string>
}

/**
 * `known`: it was voided before; `sealed`: a row of its usage is not there any more; `moved`: the
 * clock is another one by now. Then nothing was changed.
 */
export type VoidOutcome = 'voided' | 'known' | 'sealed' | 'moved'

/**
 * Events taken back out of usage. Besides measuring, nobody else writes `usage`. [machines#writers]
 */
export interface Voids {
  /** Those of the events that are voided, by `keyOf`. */
  find(owner: Owner, events: readonly EventName[]): Promise<ReadonlyMap<string, Void>>

  /** All of a customer, by `keyOf`. */
  ofCustomer(owner: Owner, customerId: string): Promise<ReadonlyMap<string, Void>>

  /** What measuring worked from at these versions. */
  under(source: UsageSource, versions: MeasuredVersions): Promise<MeasuredUnder>

  /** The stretches of routes as they are today; a route that is not there has none. */
  stretches(
    owner: Owner,
    routeIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Stretch[]>>

  /** Takes an event out of usage, all of it or nothing: one transaction. */
  record(owner: Owner, voiding: NewVoid): Promise<VoidOutcome>

  /** Rows that are to be folded again, each for one caller; they come back later and later. */
  due(max: number): Promise<readonly DueFold[]>

  /** Null: the row is not there any more, or waits for nothing. */
  state(key: UsageKey): Promise<FoldState | null>

  /**
   * Puts a fold without the pending events in the row's place. False, and nothing changes, when the
   * row is not what `state` said any more.
   */
  foldAgain(key: UsageKey, state: FoldState, fold: Fold): Promise<boolean>
}

/** For maps and sets of events. */
export const eventNameText = ({ eventId, timestamp }: EventName): string =>
  `${timestamp} ${eventId}`
