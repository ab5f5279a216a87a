import { refuse } from '../../faults.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Subscriptions } from '../../parts/store/subscriptions.ts'
import type { AccountChange } from '../../rules/accounts/change.ts'
import type { AccountView } from '../../rules/accounts/view.ts'
import type { ClosedTo, FoldedSubscription } from '../../rules/commerce/subscriptions/folding.ts'
import {
  foldedSubscription,
  manyChangesRejection,
} from '../../rules/commerce/subscriptions/folding.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { SubscriptionChange } from '../../rules/commerce/subscriptions/subscription-change.ts'
import type { Instant } from '../../std/instant.ts'
import { laterOf } from '../../std/instant.ts'
import type { AccountChanging, AccountNeeds, Due } from '../accounts/change-accounts.ts'
import { tryChange } from '../accounts/change-accounts.ts'
import type { lost, Operation } from '../accounts/until-written.ts'
import type { GrantingNeeds } from '../entitlements/grants-of-subscription.ts'
import { grantingOf } from '../entitlements/grants-of-subscription.ts'
import type { MayCarry } from './telling.ts'
import { tellingOf } from './telling.ts'

export interface SubscriptionNeeds extends AccountNeeds, GrantingNeeds {
  readonly subscriptions: Subscriptions
  readonly customers: Pick<Customers, 'get'>
  readonly meters: Meters
}

/** A change as far as it is known before its time is. */
export interface PreparedChange {
  /** The entitlements for which the change may have commands. */
  readonly entitlementIds: readonly string[]
  /** What it may bring into the subscription; absent: nothing. */
  readonly mayCarry?: MayCarry
  /** Pure: the change at this moment. Throws a Fault to refuse. */
  readonly decide: (at: Instant, views: readonly AccountView[]) => DecidedSubscription
}

export interface DecidedSubscription extends SubscriptionChange {
  /** What is written with it; absent: nothing. */
  readonly rows?: readonly RowChange[]
}

export interface SubscriptionTry {
  readonly operation: Operation
  readonly before: Subscription
  readonly prepared: PreparedChange
  readonly at: AccountChanging<undefined>['at']
}

/**
 * One try of one transaction: it writes the subscription, its customer's routes, the settled
 * accounts and what the commands make of them, unless one of these or the test clock has moved
 * meanwhile.
 */
export async function tryChangeSubscription(
  desk: SubscriptionNeeds,
  scope: Scope,
  { operation, before, prepared, at }: SubscriptionTry,
): Promise<undefined | typeof lost | Due> {
  const { customerId, updatedAt } = before
  const { entitlementIds, decide } = prepared
  const closedTo = mayFold(before) ? await desk.subscriptions.closedTo(scope) : null
  const { mayCarry } = prepared
  const [telling, granting] = await Promise.all([
    tellingOf(desk, scope, { subscription: before, mayCarry }),
    grantingOf(desk, scope, { before, mayBeOf: mayCarry?.productId }),
  ])
  return tryChange(desk, {
    operation,
    customer: { ...scope, customerId },
    entitlementIds,
    at,
    decide: (views, { at }) => {
      const { after, commands, happened = [], rows = [] } = decide(at, views)
      // A boundary that was due before the last change is written at the time of that change.
      // [subscriptions#the-time-of-a-command]
      const written = { ...after, updatedAt: laterOf(after.updatedAt, updatedAt) }
      const { row, over } = folded(written, closedTo)
      // The end of a cycle waits for nobody; it adds one stretch at most.
      if (operation !== 'cycle_end') refuse(manyChangesRejection(before, row))
      const grants = granting(row, row.updatedAt)
      return {
        commands: entitlementIds.map((entitlementId) => commands.get(entitlementId) ?? null),
        // Usage of a cycle that only opens now may already be measured: settle the account again.
        finish: (settled) =>
          settled.filter(isSomething).map((each) => ({ ...each, announce: true })),
        rows: [
          ...rows,
          { noun: 'subscription', expected: before.version, row, over },
          ...grants.rows,
        ],
        tell: (accounts) => [
          ...telling({ before, after: row, happened, accounts, at: row.updatedAt }),
          ...grants.facts,
        ],
        answer: () => undefined,
      }
    },
  })
}

/**
 * Whether there is anything to write: an account that was never stored and had no entries is not
 * made.
 */
const isSomething = ({ expected, entries, account }: AccountChange): boolean =>
  expected !== null || entries.length > 0 || account.charges.length > 0

/** Few have anything to fold: the first stretch and the last one always stay. */
const mayFold = ({ pauses, stretches }: Subscription): boolean =>
  pauses.length > 0 || stretches.length > 2

const folded = (row: Subscription, closedTo: ClosedTo | null): FoldedSubscription =>
  closedTo === null ? { row, over: [] } : foldedSubscription(row, closedTo)
