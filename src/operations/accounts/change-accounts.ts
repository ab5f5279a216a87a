import assert from 'node:assert/strict'
import type { Accounts } from '../../parts/store/accounts.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Change, Changes, LoneFact } from '../../parts/store/changes.ts'
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

export interface AccountNeeds extends Tries {
  readonly accounts: Accounts
  readonly changes: Pick<Changes, 'commit'>
  readonly businesses: Pick<Businesses, 'clockAhead'>
  readonly clock: Clock
  readonly newId: NewId
  /** Absent: the turns of this process. */
  readonly inTurn?: InTurn
  /** Called with the entries that a command has written, for metrics. */
  readonly wrote?: (entries: AccountChange['entries']) => void
}

export interface AccountChanging<T> {
  readonly operation: Operation
  readonly customer: CustomerKey
  /** The customer's accounts under these entitlements. */
  readonly entitlementIds: readonly string[]
  /**
   * When the command happens, given the accounts as they are and the business's present time; null:
   * something else is due before it.
   */
  readonly at: (views: readonly AccountView[], now: Instant) => Instant | null
  /**
   * Checks what the loaded accounts do not tell but versions of theirs cover. Throws a Fault to
   * refuse, before anything else is judged.
   */
  readonly look?: () => Promise<void>
  /**
   * Called anew in every try. Throws a Fault to refuse, and then nothing changes.
   * [machines#settling]
   */
  readonly decide: (views: readonly AccountView[], time: DecidedOn) => Decision<T>
}

/** A change that is no command, such as a boundary: nothing can be due before it. */
export interface OwnChanging<T> extends AccountChanging<T> {
  readonly at: (views: readonly AccountView[], now: Instant) => Instant
}

/** Something of the customer is due first; the try wrote nothing. */
export class Due {
  readonly customer: CustomerKey

  constructor(customer: CustomerKey) {
    this.customer = customer
  }
}

/**
 * When something is decided. It is written only if the business's test clock has not moved since.
 */
export interface DecidedOn {
  readonly at: Instant
  readonly clockAhead: Duration
}

/** The rows and facts of a decision are written together with the accounts. */
export interface Decision<T> extends Partial<Pick<Change, 'rows' | 'facts'>> {
  /**
   * One command for each key, in their order; null: its account is left alone, not even settled.
   */
  readonly commands: readonly (AccountCommand | null)[]
  readonly idempotencyKey?: string | null
  /** What else becomes of the accounts; absent: nothing. */
  readonly finish?: (changes: readonly AccountChange[]) => readonly AccountChange[]
  /** More facts that belong to no account, which say what became of the accounts. */
  readonly tell?: (changes: readonly AccountChange[]) => readonly LoneFact[]
  readonly answer: (changes: readonly AccountChange[]) => T
}

/**
 * The one operation that changes accounts: loads them with their versions, settles, decides (pure),
 * and writes if the versions and the test clock still hold; otherwise it does all of it again.
 * Commands go through commandAccounts(), which applies what is due before them. [machines#writers]
 */
export function changeAccounts<T>(desk: AccountNeeds, changing: OwnChanging<T>): Promise<T> {
  return untilWritten(desk, changing.operation, async () => {
    const tried = await tryChange(desk, changing)
    assert(!(tried instanceof Due))
    return tried
  })
}

/** One try. Tries of this process on the same account take turns. */
export function tryChange<T>(
  desk: AccountNeeds,
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
    const { commands, idempotencyKey = null, finish, rows = [], answer } = decision
    const { facts: own = [], tell } = decision
    const ids = { newId: desk.newId, accountIdOf }
    const settled = views.flatMap((view, index) => {
      const decide = commands[index] ?? null
      return decide === null ? [] : [changeOf(ids, view, { at, decide, idempotencyKey })]
    })
    const accounts = finish?.(settled) ?? settled
    const facts = [...own, ...(tell?.(accounts) ?? [])]
    const change = { scope: customer, clockAhead, rows, accounts, facts }
    if ((await desk.changes.commit(change)) !== 'committed') return lost
    passing('adjusted')
    desk.wrote?.(accounts.flatMap(({ entries }) => entries))
    return answer(accounts)
  })
}
