import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Accounts } from '../../parts/store/accounts.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Account } from '../../rules/accounts/account.ts'
import { storedBalance } from '../../rules/accounts/account.ts'
import type { AccountChange, NewFact } from '../../rules/accounts/change.ts'
import { factsOf, lowBalanceFacts } from '../../rules/accounts/facts.ts'
import type { Projected } from '../../rules/accounts/project.ts'
import { ownCycleAt, project } from '../../rules/accounts/project.ts'
import type { Decided } from '../../rules/accounts/settle.ts'
import { sourceMetadata } from '../../rules/accounts/source-metadata.ts'
import { timeOf } from '../../rules/accounts/time.ts'
import type { AccountKey, AccountView } from '../../rules/accounts/view.ts'
import type { Clock } from '../../runtime/clock.ts'
import { passing } from '../../runtime/moments.ts'
import type { NewId } from '../../std/id.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import type { Operation, Tries } from './tries.ts'
import { lost, untilWritten } from './tries.ts'
import type { Turns } from './turns.ts'
import { inTurn } from './turns.ts'

export interface AccountDesk extends Tries {
  readonly accounts: Accounts
  readonly businesses: Pick<Businesses, 'clockAhead'>
  readonly clock: Clock
  readonly newId: NewId
  /** Left out: those of this process. */
  readonly inTurn?: Turns
  /** Told of the entries that a command has written, where somebody counts them. */
  readonly wrote?: (entries: AccountChange['entries']) => void
}

/** What a command makes of a settled account, at `projected.at`; null leaves it as it is. */
export type Command = (projected: Projected, view: AccountView) => Decided | null

export type Customer = Scope & { readonly customerId: string }

export interface AccountChanging<T> {
  readonly operation: Operation
  readonly customer: Customer
  /** Accounts of that customer. */
  readonly entitlementIds: readonly string[]
  /**
   * When it happens, of accounts as they are and given the business's time now; null: something
   * else is due before it.
   */
  readonly at: (views: readonly AccountView[], now: Instant) => Instant | null
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
  readonly customer: Customer

  constructor(customer: Customer) {
    this.customer = customer
  }
}

/** When something is decided: written only while the business's test clock still stands so. */
export interface DecidedOn {
  readonly at: Instant
  readonly clockAhead: Duration
}

export interface Decision<T> {
  /** The one command of each key, in order; null: its account is left alone, not even settled. */
  readonly commands: readonly (Command | null)[]
  readonly idempotencyKey?: string | null
  /** Writes all of it, or answers false when what it was decided on has moved. */
  readonly write: (changes: readonly AccountChange[]) => Promise<boolean>
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
  { customer, entitlementIds, at: time, decide }: AccountChanging<T>,
): Promise<T | typeof lost | Due> {
  const keys = entitlementIds.map((entitlementId) => ({ ...customer, entitlementId }))
  return (desk.inTurn ?? inTurn)(keys.map(accountIdOf), async () => {
    const views = await desk.accounts.load(keys)
    const clockAhead = views[0]?.clockAhead ?? (await desk.businesses.clockAhead(customer))
    const at = time(views, after(desk.clock.now(), clockAhead))
    if (at === null) return new Due(customer)
    const { commands, idempotencyKey = null, write, answer } = decide(views, { at, clockAhead })
    const changes = views.flatMap((view, index) => {
      const decide = commands[index] ?? null
      return decide === null ? [] : [changeOf(desk, view, { at, decide, idempotencyKey })]
    })
    if (!(await write(changes))) return lost
    passing('adjusted')
    desk.wrote?.(changes.flatMap(({ entries }) => entries))
    return answer(changes)
  })
}

/** Saves all of the changes, or none of them counts as written. */
export const saveAll =
  ({ accounts }: Pick<AccountDesk, 'accounts'>) =>
  async (changes: readonly AccountChange[]): Promise<boolean> =>
    (await accounts.save(changes)).size === changes.length

interface ChangeRequest {
  readonly at: Instant
  readonly decide: Command
  readonly idempotencyKey: string | null
}

/**
 * Settled and decided, with ids and facts, ready to be written. A boundary that was due before the
 * account was changed last is written as of that change: a ledger never runs backwards.
 * [subscriptions#the-time-of-a-command]
 */
export function changeOf(
  desk: Pick<AccountDesk, 'newId'>,
  view: AccountView,
  { at: due, decide, idempotencyKey }: ChangeRequest,
): AccountChange {
  const at = timeOf([view], due)
  const projected = project(view, due)
  const decided = notBefore(
    at,
    decide(projected, view) ?? { account: projected.account, entries: [] },
    projected.before,
  )
  const facts = [
    ...factsFor(desk, view, projected, { before: projected.before, decided: projected, at }),
    ...factsFor(desk, view, projected, { before: projected.account, decided, at }),
  ]
  const entries = [...projected.entries, ...decided.entries]
  return {
    key: view.key,
    accountId: view.stored?.accountId ?? accountIdOf(view.key),
    expected: view.stored?.version ?? null,
    clockAhead: view.clockAhead,
    before: view.stored?.account ?? null,
    account: decided.account,
    entries: entries.map((entry) => {
      const metadata = sourceMetadata(decided.account, entry.grantId)
      const cause = { ...entry.cause, metadata }
      return { ...entry, at, cause, entryId: desk.newId('cle'), brandId: projected.brandId }
    }),
    facts,
    unsettled: view.unsettled,
    idempotencyKey,
    ownCycleAt: ownCycleAt(view, due),
    announce: false,
    at,
  }
}

/** Grants that are made by it are no older than it. */
function notBefore(at: Instant, decided: Decided, before: Account): Decided {
  const grants = decided.account.grants.map((grant) =>
    grant.number > before.grantsMade && grant.createdAt < at ? { ...grant, createdAt: at } : grant,
  )
  return { ...decided, account: { ...decided.account, grants } }
}

interface Step {
  readonly before: Account
  readonly decided: Decided
  readonly at: Instant
}

/**
 * What one step announces: its entries, then a low balance if it crossed the line.
 * [credits#low-balance]
 */
function factsFor(
  desk: Pick<AccountDesk, 'newId'>,
  view: AccountView,
  projected: Projected,
  { before, decided, at }: Step,
): readonly NewFact[] {
  const low = lowBalanceFacts(view, projected, {
    before: storedBalance(before),
    now: storedBalance(decided.account),
  })
  return [...decided.entries.flatMap(factsOf), ...low].map((fact) => ({
    ...fact,
    messageId: desk.newId('msg'),
    at,
  }))
}

/** The id of a balance: derived from its key, so that it has one before it is stored. */
export function accountIdOf(key: AccountKey): string {
  const name = JSON.stringify([key.businessId, key.mode, key.customerId, key.entitlementId])
  return `cbl_${createHash('sha256').update(name).digest('base64url').slice(0, 21)}`
}
