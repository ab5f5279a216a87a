import assert from 'node:assert/strict'
import type { Accounts } from '../../parts/store/accounts.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Change, Changes } from '../../parts/store/changes.ts'
import type { CustomerKey } from '../../parts/store/scope.ts'
import type { AccountChange, AccountCommand } from '../../rules/accounts/change.ts'
import { changeOf } from '../../rules/accounts/change.ts'
import type { AccountView } from '../../rules/accounts/view.ts'
import type { Clock } from '../../runtime/clock.ts'
import { passing } from '../../runtime/moments.ts'
import type { NewId } from '../../std/id.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import { accountIdOf } from './account-id.ts'
import type { InTurn } from './in-turn.ts'
import { inTurn } from './in-turn.ts'
import type { Operation, Tries } from './until-written.ts'
import { lost, untilWritten } from './until-written.ts'

export interface AccountDesk extends Tries {
  readonly accounts: Accounts
  readonly changes: Pick<Changes, 'commit'>
  readonly businesses: Pick<Businesses, 'clockAhead'>
  readonly clock: Clock
  readonly newId: NewId
  /** Left out: those of this process. */
  readonly inTurn?: InTurn
  /** Told of the entries that a command has written, where somebody counts them. */
  readonly wrote?: (entries: AccountChange['entries']) => void
}

export interface AccountChanging<T> {
  readonly operation: Operation
  readonly customer: CustomerKey
  /** Accounts of that customer. */
  readonly entitlementIds: readonly string[]
  /**
   * When it happens, of accounts as they are and given the business's time now; null: something
   * else is due before it.
   */
  readonly at: (views: readonly AccountView[], now: Instant) => Instant | null
  /**
   * Looks at what the accounts do not say, once they are loaded: whatever makes it another moves a
   * version of theirs. Throws a Fault to refuse before anything else is judged.
   */
  readonly look?: () => Promise<void>
  /**
   * Asked anew in every try. Throws a Fault to refuse: then nothing changes. [machines#settling]
   */
  readonly decide: (views: readonly AccountView[], time: DecidedOn) => Decision<T>
}

/** What happens by itself, or is no command: nothing is ever due before it. */
export interface OwnChanging<T> extends AccountChanging<T> {
  readonly at: (views: readonly AccountView[], now: Instant) => Instant
}

/** Something of the customer is due first: a try wrote nothing. */
export class Due {
  readonly customer: CustomerKey

  constructor(customer: CustomerKey) {
    this.customer = customer
  }
}

/** When something is decided: written only while the business's test clock still stands so. */
export interface DecidedOn {
  readonly at: Instant
  readonly clockAhead: Duration
}

/** The rows and facts that it names are written with the accounts. */
export interface Decision<T> extends Partial<Pick<Change, 'rows' | 'facts'>> {
  /** The one command of each key, in order; null: its account is left alone, not even settled. */
  readonly commands: readonly (AccountCommand | null)[]
  readonly idempotencyKey?: string | null
  /** What else becomes of the accounts; left out: nothing. */
  readonly finish?: (changes: readonly AccountChange[]) => readonly AccountChange[]
  readonly answer: (changes: readonly AccountChange[]) => T
}

/**
 * The one operation that changes accounts: load with version → settle → decide (pure) → write if
 * the versions and the test clock hold, else again. Commands are tried by commandAccounts(), which
 * applies what is due before them. [machines#writers]
 */
export function changeAccounts<T>(desk: AccountDesk, changing: OwnChanging<T>): Promise<T> {
  return untilWritten(desk, changing.operation, async () => {
    const tried = await tryChange(desk, changing)
    assert(!(tried instanceof Due))
    return tried
  })
}

/** One try of it. Those of this process on one account take turns. */
export function tryChange<T>(
  desk: AccountDesk,
  { customer, entitlementIds, at: time, look, decide }: AccountChanging<T>,
): Promise<T | typeof lost | Due> {
  const keys = entitlementIds.map((entitlementId) => ({ ...customer, entitlementId }))
  return (desk.inTurn ?? inTurn)(keys.map(accountIdOf), async () => {
    const views = await desk.accounts.load(keys)
    await look?.()
    const clockAhead = views[0]?.clockAhead ?? (await desk.businesses.clockAhead(customer))
    const at = time(views, after(desk.clock.now(), clockAhead))
    if (at === null) return new Due(customer)
    const decision = decide(views, { at, clockAhead })
    const { commands, idempotencyKey = null, finish, rows = [], facts = [], answer } = decision
    const ids = { newId: desk.newId, accountIdOf }
    const settled = views.flatMap((view, index) => {
      const decide = commands[index] ?? null
      return decide === null ? [] : [changeOf(ids, view, { at, decide, idempotencyKey })]
    })
    const accounts = finish?.(settled) ?? settled
    const change = { scope: customer, clockAhead, rows, accounts, facts }
    if ((await desk.changes.commit(change)) !== 'committed') return lost
    passing('adjusted')
    desk.wrote?.(accounts.flatMap(({ entries }) => entries))
    return answer(accounts)
  })
}
