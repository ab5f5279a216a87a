import type {
  EntryOfAccount,
  GrantOfAccount,
  Settling,
} from '../../rules/explain/account-records.ts'
import type { RoutingChange } from '../../rules/explain/routing.ts'
import type { EventPlace, Positions } from '../../rules/meter/place.ts'
import type { Stretch } from '../../rules/meter/route.ts'
import type { Instant } from '../../std/instant.ts'
import type { Scope } from './scope.ts'

/** Which usage an entry settled: one cycle of one meter through one route. */
export interface ChargeKey {
  readonly routeId: string
  readonly meterId: string
  readonly cycleAt: Instant
}

export interface RoutingKnown {
  readonly changes: readonly RoutingChange[]
  /** False: there are older changes. */
  readonly complete: boolean
}

/** What explanations read of the books. The ids may be of any business and mode. */
export interface Explanations {
  entry(entryId: string): Promise<EntryOfAccount | null>

  grant(grantId: string): Promise<GrantOfAccount | null>

  /** The entries that touched a grant, oldest first: the first `max`, and how many there are. */
  entriesOfGrant(
    grant: Pick<GrantOfAccount, 'accountId' | 'grantId'>,
    max: number,
  ): Promise<{ readonly count: number; readonly entries: readonly EntryOfAccount[] }>

  /**
   * The first settling of this charge that made entries and had seen the event; null while there is
   * none. It covers everything that was measured since the settling before it.
   */
  settlingAfter(accountId: string, charge: ChargeKey, place: EventPlace): Promise<Settling | null>

  /** The settling that made this usage entry. */
  settlingOf(entry: EntryOfAccount, charge: ChargeKey): Promise<Settling>

  /**
   * How a customer's business routed usage: the changes in the order in which measuring got to know
   * them. At least what held for the events before the positions `before`, and all newer changes
   * that fit into some megabytes.
   */
  routing(scope: Scope, customerId: string, before: Positions): Promise<RoutingKnown>

  /** Every stretch that a subscription, or an entitlement's default links, ever had; in order. */
  stretches(scope: Scope, routeId: string): Promise<readonly Stretch[]>

  /** Types of the facts of an entry that still wait in the outbox. */
  untold(accountId: string, entryNumber: number): Promise<readonly string[]>
}
